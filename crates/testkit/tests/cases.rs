//! Every case file, page, example and table as one test each.

fn main() -> std::process::ExitCode {
    weft_testkit::main()
}
