//! `tests/ir`: stages of the compiler as text beside a program, and texts of the graph
//! and of loops that must read back as themselves.

use crate::Failure;
use crate::case::Case;
use crate::snapshot;
use weft::{Checked, Cpu, Emit, Options, PASSES, PassOptions, RunOptions, Session, Strategy, Tier};

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
    let options = crate::execute::options(&arguments);
    let how = RunOptions { cpu, ..crate::execute::run_options(&arguments) };
    let mut session = Session::new();
    let (program, found) = session.check(&case.file_name(), &case.text, &options);
    let program = program.ok_or_else(|| weft::render_all(&found.sorted(), &session.sources))?;
    for name in &case.directives.emit {
        let text = stage(&mut session, &program, (&options, &how), name)?;
        snapshot::compare_file(&case.beside(name), &text)?;
    }
    Ok(())
}

fn stage(
    session: &mut Session,
    program: &Checked,
    (options, how): (&Options, &RunOptions<'_>),
    name: &str,
) -> Result<String, Failure> {
    let stage = match name {
        "tree" => Emit::Tree,
        "host" => Emit::Host,
        "graph" => Emit::Graph,
        "plan" => Emit::Plan,
        "schedule" => Emit::Schedule,
        "loops" => Emit::Loops,
        _ if name.strip_prefix("without-").and_then(Strategy::named).is_some() => {
            return without_strategy(session, program, (options, how), name);
        }
        _ if name.contains('-') => return passes(session, program, (options, how), name),
        "planned" => return planned(session, program, (options, how)),
        other => return Err(format!("no stage `{other}` whose text is the same everywhere")),
    };
    session.emit(program, options, how, &|_| false, stage).map_err(|e| format!("{e:?}"))
}

/// The graph behind one pass, by a name: `after-PASS` with those in front of it, `only-PASS` with
/// none that can be left out, `without-PASS` behind all others. The numbers are the same.
fn passes(
    session: &mut Session,
    program: &Checked,
    (options, how): (&Options, &RunOptions<'_>),
    name: &str,
) -> Result<String, Failure> {
    let (way, pass) = name.split_once('-').ok_or_else(|| format!("no stage `{name}`"))?;
    let pass = crate::arguments::pass(pass)?;
    let optional = PASSES.iter().map(|p| p.name);
    let asked = match way {
        "after" => PassOptions::default(),
        "only" => {
            PassOptions { skip: optional.filter(|p| *p != pass).collect(), ..Default::default() }
        }
        "without" => PassOptions { skip: vec![pass], ..Default::default() },
        _ => return Err(format!("no stage `{name}`")),
    };
    let shown = if way == "without" { PASSES[PASSES.len() - 1].name } else { pass };
    let asked = PassOptions { print_after: vec![shown], verify: true, ..asked };
    let how = RunOptions { passes: asked, cpu: crate::execute::cpu(), ..how.clone() };
    same_numbers(session, (program, options), &how)?;
    let segments = session.passes(program, options, &how, &|_| false);
    let segments = segments.map_err(|e| format!("{e:?}"))?;
    let texts: Vec<String> =
        segments.into_iter().flatten().filter_map(|record| record.text).collect();
    texts.iter().try_for_each(|text| graph_reads_back(text))?;
    Ok(texts.join("\n"))
}

/// The schedule without one strategy, which gives the same numbers.
fn without_strategy(
    session: &mut Session,
    program: &Checked,
    (options, how): (&Options, &RunOptions<'_>),
    name: &str,
) -> Result<String, Failure> {
    let strategy = name.strip_prefix("without-").unwrap_or(name);
    let strategy = crate::arguments::pass_or_strategy(strategy)?;
    let passes = PassOptions { skip: vec![strategy], ..Default::default() };
    let how = RunOptions { passes, ..how.clone() };
    let own = RunOptions { cpu: crate::execute::cpu(), ..how.clone() };
    same_numbers(session, (program, options), &own)?;
    let text = session.emit(program, options, &how, &|_| false, Emit::Schedule);
    text.map_err(|e| format!("{e:?}"))
}

/// Machine code of a graph behind some passes prints what the evaluator prints of it as it is.
fn same_numbers(
    session: &mut Session,
    (program, options): (&Checked, &Options),
    how: &RunOptions<'_>,
) -> Result<(), Failure> {
    let mut on = |tier| {
        let (how, mut out) = (RunOptions { tier, ..how.clone() }, Vec::new());
        let ran = session.run(program, options, &how, &|_| false, &mut out);
        ran.map(|_| String::from_utf8_lossy(&out).into_owned()).map_err(|e| format!("{e:?}"))
    };
    snapshot::compare_numbers(&on(Tier::Evaluator)?, &on(Tier::Native)?, 1e-12)
}

/// The graph behind the plan's passes; it too reads back.
fn planned(
    session: &Session,
    program: &Checked,
    (options, how): (&Options, &RunOptions<'_>),
) -> Result<String, Failure> {
    let texts = weft::planned_graphs(session, program, options, how);
    let texts = texts.map_err(|e| format!("{e:?}"))?;
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
