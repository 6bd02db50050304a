//! `tests/ir`: stages of the compiler as text beside a program, and texts of the graph
//! and of loops that must read back as themselves.

use crate::Failure;
use crate::case::Case;
use crate::snapshot;
use weft::{Checked, Cpu, Emit, Options, Session};

/// Checks a program's stages, or a text by itself.
pub fn check(case: &Case) -> Result<(), Failure> {
    match case.path.extension().and_then(|s| s.to_str()) {
        Some("graph") => graph_reads_back(&case.text),
        Some("loops") => loops_read_back(&case.text),
        _ => stages(case),
    }
}

fn stages(case: &Case) -> Result<(), Failure> {
    if case.directives.emit.is_empty() {
        return Err("no `//@ emit:` says which stages".into());
    }
    let arguments = case.arguments()?;
    let loops = case.directives.emit.iter().any(|stage| stage == "loops");
    if loops && matches!(case.directives.cpu, None | Some(Cpu::Native)) {
        return Err("no `//@ cpu:` says which processor the loops are for".into());
    }
    let cpu = case.directives.cpu.unwrap_or_default();
    let options = Options { cpu, ..crate::execute::options(&arguments) };
    let mut session = Session::new();
    let (program, found) = session.check(&case.file_name(), &case.text, &options);
    let program = program.ok_or_else(|| weft::render_all(&found.sorted(), &session.sources))?;
    for name in &case.directives.emit {
        let text = stage(&session, &program, &options, name)?;
        snapshot::compare_file(&case.beside(name), &text)?;
    }
    Ok(())
}

fn stage(
    session: &Session,
    program: &Checked,
    options: &Options,
    name: &str,
) -> Result<String, Failure> {
    let stage = match name {
        "tree" => Emit::Tree,
        "host" => Emit::Host,
        "graph" => Emit::Graph,
        "plan" => Emit::Plan,
        "loops" => Emit::Loops,
        "planned" => return planned(program),
        other => return Err(format!("no stage `{other}` whose text is the same everywhere")),
    };
    session.emit(program, options, stage)
}

/// The graph behind the plan's passes; it too reads back.
fn planned(program: &Checked) -> Result<String, Failure> {
    let texts = weft::planned_graphs(program)?;
    texts.iter().try_for_each(|text| graph_reads_back(text))?;
    Ok(texts.join("\n"))
}

/// Parsing a printed graph and printing it again gives the same text.
pub fn graph_reads_back(text: &str) -> Result<(), Failure> {
    let graph = weft_tensor::parse(text).map_err(|e| format!("the graph's text: {e:?}"))?;
    weft_tensor::verify(&graph).map_err(|e| format!("the graph is not valid: {e:?}"))?;
    snapshot::compare(text, &weft_tensor::print(&graph))
}

/// Parsing printed loops and printing them again gives the same text.
pub fn loops_read_back(text: &str) -> Result<(), Failure> {
    let mut again = String::new();
    for function in functions(text) {
        let parsed = weft_loops::parse(function).map_err(|e| format!("the loops' text: {e:?}"))?;
        weft_loops::verify(&parsed).map_err(|e| format!("the loops are not valid: {e:?}"))?;
        again.push_str(&format!("{parsed}\n"));
    }
    snapshot::compare(text, &again)
}

/// The functions of a text, each from its first line to its last.
fn functions(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices("\n(function ").map(|(at, _)| at + 1).collect();
    if text.starts_with("(function ") {
        starts.insert(0, 0);
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}
