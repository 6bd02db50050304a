//! Makes a program that shows a wrong small: drops statements and clauses, then replaces
//! expressions by their parts, as long as the same kind of wrong stays.

use super::Program;

/// Programs tried before what is there is taken.
const TRIES: usize = 300;

/// The smallest program found for which `wrong` still holds.
pub fn minimise(program: &Program, wrong: &dyn Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut tries = TRIES;
    loop {
        let before = best.text();
        drop_statements(&mut best, wrong, &mut tries);
        drop_clauses(&mut best, wrong, &mut tries);
        shrink_expressions(&mut best, wrong, &mut tries);
        if best.text() == before || tries == 0 {
            return best;
        }
    }
}

fn try_out(
    best: &mut Program,
    smaller: Program,
    wrong: &dyn Fn(&Program) -> bool,
    tries: &mut usize,
) -> bool {
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    let holds = wrong(&smaller);
    if holds {
        *best = smaller;
    }
    holds
}

fn drop_statements(best: &mut Program, wrong: &dyn Fn(&Program) -> bool, tries: &mut usize) {
    for k in (0..best.statements.len()).rev() {
        let mut smaller = best.clone();
        let gone = smaller.statements.remove(k);
        smaller.inputs.retain(|(name, _)| !gone.starts_with(&format!("input {name}:")));
        try_out(best, smaller, wrong, tries);
    }
}

fn drop_clauses(best: &mut Program, wrong: &dyn Fn(&Program) -> bool, tries: &mut usize) {
    for k in 0..best.statements.len() {
        for line in (0..best.statements[k].lines().count()).rev() {
            let mut lines: Vec<&str> = best.statements[k].lines().collect();
            if lines.len() < 2 || line >= lines.len() {
                continue;
            }
            lines.remove(line);
            let mut smaller = best.clone();
            smaller.statements[k] = lines.join("\n");
            try_out(best, smaller, wrong, tries);
        }
    }
}

fn shrink_expressions(best: &mut Program, wrong: &dyn Fn(&Program) -> bool, tries: &mut usize) {
    for k in 0..best.statements.len() {
        let mut from = 0;
        while let Some(group) = next_group(&best.statements[k], from) {
            let Group { start, opening, end, parts } = group;
            // Only what is shorter: so this ends.
            let shrunk = parts.into_iter().filter(|p| p.len() < end - start).any(|part| {
                let mut smaller = best.clone();
                smaller.statements[k].replace_range(start..end, &part);
                try_out(best, smaller, wrong, tries)
            });
            if !shrunk {
                from = opening + 1;
            }
        }
    }
}

/// A bracketed group, with the name before it if it is a call.
struct Group {
    start: usize,
    /// Where its bracket opens.
    opening: usize,
    end: usize,
    /// What may stand in its place.
    parts: Vec<String>,
}

/// The next group whose bracket, or `where`, is at an offset or after it.
fn next_group(text: &str, from: usize) -> Option<Group> {
    let rest = text.get(from..)?;
    let start = from + rest.find(" where ").into_iter().chain(rest.find('(')).min()?;
    if text[start..].starts_with(" where ") {
        let end = start + text[start..].find([';', ')']).unwrap_or(text.len() - start);
        return Some(Group { start, opening: start, end, parts: vec![String::new()] });
    }
    let end = closing(text, start)?;
    let mut parts = operands(&text[start + 1..end - 1]);
    parts.push("1".to_string());
    // A call or reduction goes as a whole.
    let head = text[..start].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    Some(Group { start: head, opening: start, end, parts })
}

/// The offset after the bracket that closes the one at `start`.
fn closing(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0;
    for (k, c) in text[start..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start + k + 1);
        }
    }
    None
}

/// The parts of `a op b`, `if c { a } else { b }`, `a as t`, or of an argument list.
fn operands(inner: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut depth = 0;
    let mut from = 0;
    for (k, c) in inner.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' | ',' if depth == 0 => {
                parts.push(inner[from..k].to_string());
                from = k + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[from..].to_string());
    let words = ["if", "else", "as", "where", "in"];
    let is_value = |p: &String| p.starts_with(|c: char| c.is_alphanumeric() || "({-.".contains(c));
    parts.retain(|p| is_value(p) && !words.contains(&p.as_str()) && p != "-");
    parts.iter().map(|p| p.trim_start_matches("{ ").trim_end_matches(" }").to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(statements: &[&str]) -> Program {
        Program {
            seed: 0,
            size: 0,
            statements: statements.iter().map(|s| s.to_string()).collect(),
            inputs: Vec::new(),
            constructs: Default::default(),
            discrete: false,
        }
    }

    #[test]
    fn what_does_not_matter_goes() {
        let p = program(&["let a = 1;", "let b = ((x + 3) * sin(9));", "print(b);"]);
        let small = minimise(&p, &|p| p.text().contains("sin(9)"));
        assert_eq!(small.text(), "let b = sin(9);\n");
    }

    #[test]
    fn clauses_and_guards_go() {
        let p = program(&["let a[0] = 2;\nlet a[i in 1..3] = (i + 7) where i > 1;"]);
        let small = minimise(&p, &|p| p.text().contains("i in 1..3"));
        assert_eq!(small.text(), "let a[i in 1..3] = i;\n");
    }
}
