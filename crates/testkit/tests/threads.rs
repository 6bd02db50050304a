//! Every case on one and on several threads: the same bits.

fn main() -> std::process::ExitCode {
    weft_testkit::main_threads()
}
