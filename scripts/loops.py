#!/usr/bin/env python3
"""Writes the loop texts of all programs of the repository, to compare two builds.

    scripts/loops.py target/release/weft DIR          one text per program and machine into DIR
    scripts/loops.py OLD NEW                          compares two such folders, or two binaries

A change of schedules that is meant to move code only leaves every text as it was.
"""
import concurrent.futures
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["tests/run", "tests/grad", "tests/structure", "tests/ir", "tests/polybench", "tests/errors/run",
           "benches", "examples"]
CPUS = ["avx2", "avx512"]
MOST_SHOWN = 40


def programs():
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.ein"))


def text(weft, program, cpu):
    command = [weft, "check", "--quiet", "--emit", "loops", str(program)]
    env = os.environ | {"WEFT_CPU": cpu}
    try:
        done = subprocess.run(command, env=env, capture_output=True, timeout=60, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return b"ran out of time\n"
    return done.stdout or done.stderr[:200]


def write(weft, to):
    to.mkdir(parents=True, exist_ok=True)

    def one(task):
        program, cpu = task
        name = str(program.relative_to(ROOT)).replace("/", "__")
        (to / f"{name}.{cpu}").write_bytes(text(weft, program, cpu))

    tasks = [(p, cpu) for p in programs() for cpu in CPUS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, tasks))
    print(f"{len(tasks)} texts in {to}")


def compare(old, new):
    names = sorted({p.name for p in old.iterdir()} | {p.name for p in new.iterdir()})
    read = lambda folder, name: (folder / name).read_text() if (folder / name).exists() else ""
    changed = [n for n in names if read(old, n) != read(new, n)]
    for name in changed[:5]:
        lines = difflib.unified_diff(read(old, name).splitlines(), read(new, name).splitlines(),
                                     f"old/{name}", f"new/{name}", lineterm="", n=2)
        print("\n".join(list(lines)[:MOST_SHOWN]))
    for name in changed:
        print(f"changed: {name}")
    print(f"{len(names)} texts, {len(changed)} changed")
    return 1 if changed else 0


def folder_of(argument, scratch):
    path = pathlib.Path(argument).resolve()
    if path.is_dir():
        return path
    to = pathlib.Path(scratch) / path.name / str(abs(hash(str(path))))
    write(str(path), to)
    return to


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    weft, second = sys.argv[1:]
    path = pathlib.Path(second)
    if pathlib.Path(weft).is_file() and not path.is_file():
        return write(str(pathlib.Path(weft).resolve()), path)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(compare(folder_of(weft, scratch), folder_of(second, scratch)))


main()
