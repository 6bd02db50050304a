//! The kinds of tokens and nodes.

macro_rules! kinds {
    (
        trivia { $($trivia:ident $trivia_text:literal)* }
        tokens { $($token:ident $token_text:literal)* }
        nodes { $($node:ident)* }
    ) => {
        /// What a token or a node of the tree is.
        ///
        /// Contextual keywords (`WhereKw`, `StructKw`, …) are identifiers to the lexer; the
        /// parser renames them where their keyword meaning stands.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "tokens show their text below, nodes are named after the grammar")]
        pub enum SyntaxKind {
            $($trivia,)*
            $($token,)*
            $($node,)*
        }

        impl SyntaxKind {
            /// Every kind, at the index that is its number.
            pub const ALL: &[SyntaxKind] =
                &[$(SyntaxKind::$trivia,)* $(SyntaxKind::$token,)* $(SyntaxKind::$node,)*];

            /// How messages call a token: its text in backquotes, or words.
            pub fn describe(self) -> &'static str {
                match self {
                    $(SyntaxKind::$trivia => $trivia_text,)*
                    $(SyntaxKind::$token => $token_text,)*
                    $(SyntaxKind::$node => stringify!($node),)*
                }
            }

            /// Whether it means nothing: white space and comments.
            pub fn is_trivia(self) -> bool {
                matches!(self, $(SyntaxKind::$trivia)|*)
            }
        }
    };
}

kinds! {
    trivia {
        Whitespace "white space"
        Comment "a comment"
    }
    tokens {
        Eof "the end of the text"
        // text that no token begins with
        Stray "an unknown character"
        BlockComment "a block comment"
        // words
        Ident "a name"
        Underscore "`_`"
        LetKw "`let`"
        ConstKw "`const`"
        FnKw "`fn`"
        PubKw "`pub`"
        UseKw "`use`"
        AsKw "`as`"
        InKw "`in`"
        IfKw "`if`"
        ElseKw "`else`"
        MatchKw "`match`"
        TryKw "`try`"
        CatchKw "`catch`"
        TrueKw "`true`"
        FalseKw "`false`"
        // words only where the parser says so
        WhereKw "`where`"
        ModKw "`mod`"
        InputKw "`input`"
        StructKw "`struct`"
        EnumKw "`enum`"
        JaggedKw "`jagged`"
        // literals
        Int "a number"
        Float "a number"
        Suffixed "a number with letters"
        StrOpen "a string"
        StrText "text"
        StrBrace "`}`"
        InterpOpen "`{`"
        FmtSpec "a format"
        InterpClose "`}`"
        StrClose "`\"`"
        // punctuation
        LParen "`(`"
        RParen "`)`"
        LBracket "`[`"
        RBracket "`]`"
        LBrace "`{`"
        RBrace "`}`"
        Comma "`,`"
        Semi "`;`"
        Colon "`:`"
        ColonColon "`::`"
        Dot "`.`"
        DotDot "`..`"
        DotDotEq "`..=`"
        DotDotDot "`...`"
        Eq "`=`"
        EqEq "`==`"
        Ne "`!=`"
        Lt "`<`"
        Gt "`>`"
        Le "`<=`"
        Ge "`>=`"
        Plus "`+`"
        Minus "`-`"
        Star "`*`"
        StarStar "`**`"
        Slash "`/`"
        Percent "`%`"
        Amp "`&`"
        AmpAmp "`&&`"
        Pipe "`|`"
        PipePipe "`||`"
        PipeGt "`|>`"
        QuestionGt "`?>`"
        BangGt "`!>`"
        Bang "`!`"
        Question "`?`"
        At "`@`"
        Caret "`^`"
        Arrow "`->`"
        FatArrow "`=>`"
    }
    nodes {
        SourceFile
        Error
        // statements
        LetStmt
        ConstStmt
        IndexedStmt
        FnDef
        DiffRule
        StructDef
        EnumDef
        UseStmt
        ModStmt
        InputStmt
        ExprStmt
        // their parts
        NamePat
        DiscardPat
        TuplePat1
        TypedPat
        ErrorPat1
        SlotList
        Slot
        ParamList
        Param
        Generics
        TupleFields
        RecordFields
        FieldDef
        Variant
        Alias
        UseGlob
        UseList
        UseName
        ElseValue
        WhereClause
        WhereItem
        // expressions
        ErrorExpr
        UnitExpr
        LiteralExpr
        StringExpr
        Interp
        PathExpr
        Path
        DiscardExpr
        ParenExpr
        TupleExpr
        ArrayExpr
        ComprehensionExpr
        GenItem
        ReductionExpr
        ReduceExpr
        Head
        Rest
        IfExpr
        MatchExpr
        Arm
        ArmGuard
        BlockExpr
        LambdaExpr
        StructExpr
        FieldInit
        CallExpr
        Arg
        IndexExpr
        Item
        Coproduct
        FieldExpr
        PrefixExpr
        BinaryExpr
        RangeExpr
        InExpr
        CastExpr
        PipeExpr
        RecoverExpr
        WhereExpr
        // patterns
        ErrorPat
        WildcardPat
        BindPat
        NumberPat
        RangePat
        PatNumber
        StrPat
        BoolPat
        PathPat
        TupleStructPat
        StructPat
        FieldPat
        TuplePat
        ArrayPat
        RestPat
        // types
        ErrorType
        PathType
        ArrayType
        JaggedType
        TupleType
        ParenType
        FnType
        Dim
    }
}

impl SyntaxKind {
    /// The reserved word spelled `text`.
    pub fn keyword(text: &str) -> Option<SyntaxKind> {
        Some(match text {
            "let" => SyntaxKind::LetKw,
            "const" => SyntaxKind::ConstKw,
            "fn" => SyntaxKind::FnKw,
            "pub" => SyntaxKind::PubKw,
            "use" => SyntaxKind::UseKw,
            "as" => SyntaxKind::AsKw,
            "in" => SyntaxKind::InKw,
            "if" => SyntaxKind::IfKw,
            "else" => SyntaxKind::ElseKw,
            "match" => SyntaxKind::MatchKw,
            "try" => SyntaxKind::TryKw,
            "catch" => SyntaxKind::CatchKw,
            "true" => SyntaxKind::TrueKw,
            "false" => SyntaxKind::FalseKw,
            _ => return None,
        })
    }

    /// Whether it is a reserved word.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::LetKw..=SyntaxKind::FalseKw).contains(&self)
    }

    /// Whether it is an expression's node.
    pub fn is_expr(self) -> bool {
        use SyntaxKind as K;
        match self {
            K::Interp | K::Path | K::GenItem | K::Head | K::Rest | K::Arm | K::ArmGuard => false,
            K::FieldInit | K::Arg | K::Item | K::Coproduct => false,
            _ => (K::ErrorExpr..=K::WhereExpr).contains(&self),
        }
    }

    /// Whether it is a statement's node.
    pub fn is_stmt(self) -> bool {
        (SyntaxKind::LetStmt..=SyntaxKind::ExprStmt).contains(&self)
    }

    /// Whether it is the node of what a `let` binds.
    pub fn is_let_pattern(self) -> bool {
        use SyntaxKind as K;
        matches!(self, K::NamePat | K::DiscardPat | K::TuplePat1 | K::ErrorPat1)
    }

    /// Whether it is the node of a pattern of `match`.
    pub fn is_pattern(self) -> bool {
        use SyntaxKind as K;
        let inner = matches!(self, K::PatNumber | K::FieldPat);
        !inner && (K::ErrorPat..=K::RestPat).contains(&self)
    }

    /// Whether it is a type's node.
    pub fn is_type(self) -> bool {
        (SyntaxKind::ErrorType..=SyntaxKind::FnType).contains(&self)
    }
}
