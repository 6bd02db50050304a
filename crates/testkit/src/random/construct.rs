//! What a program can use: the rows of the census.

macro_rules! constructs {
    ($($name:ident)*) => {
        /// Something of the language that a program uses.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Construct { $($name),* }

        impl Construct {
            /// Every row of the census.
            pub const ALL: &'static [Construct] = &[$(Construct::$name),*];
        }
    };
}

constructs! {
    // statements
    Let LetTuple Const Annotation Shadowing BlockValue
    Print Assert Interpolation Format Use
    InputTensor InputScalar InputDefault
    // indexed definitions
    InferredIndex RangedIndex InclusiveRange OffsetRange EmptyRange DependentRange
    RangeBelowZero LowerEndFromInput ExtentOfNothing
    FixedCell RestSlot JoinedAxis ComponentRead SeveralClauses ScalarBody TensorBody BlockBody TupleBody
    WhereBinding WhereGuard WhereElse DataGuard
    // types
    NearTheEnd OpenName OpenCell Widening Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64
    // reductions
    Sum Prod Max Min All Any Mean Count Argmax Argmin
    ReductionOfTwo NestedReduction Fold GuardedReduction BoundReduction EmptyReduction
    // expressions
    IntArithmetic IntDivision IntRemainder FloatArithmetic FloatRemainder Power Negation
    Comparison Logic If Cast IntLiteral FloatLiteral ArrayLiteral IndexValue
    Tuple Field MaxOfTwo Elementary Length SymbolicExtent
    // lifting
    LiftedOperator LiftedIf LiftedCall LiftedCast
    // reads
    DataRead ShiftedRead StridedRead ReversedRead DividedRead RemainderRead Transpose
    DiagonalRead DiagonalWrite ByNumber Slice SubTensor WindowRead ConditionalRead
    // functions
    Call CallInCell GenericOverType GenericOverRank NamedExtent TypedFunction
    FunctionWithDefinition FunctionWithReduction TupleResult RecurrencePerCell
    // arguments that are known while checking
    Flag FlagInLogic ComputedFlag StaticList StaticText
    // characters
    CharacterCompared CharacterIn CharacterCode CharacterMatched Alignment
    // recurrences
    Recurrence Lookback1 Lookback2 Lookback3 MutualGroup BaseOverTime
    ScalarState VectorState MatrixState TensorState LinearSystem StencilStep ObservedLast ObservedWhole
    ReductionOfState SelfReadInReduction
    // failures that only a run can find
    MayFail
}
