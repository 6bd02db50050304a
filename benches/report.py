"""Measurements as text: a line as it is made, and the page that is kept."""

import compile as compiling


def rate(line):
    """Operations per second of Weft."""
    return line["weft"]["flops"] / line["tools"]["weft"]["min_ms"] * 1e3 if "weft" in line else 0.0


def roofline(line, document):
    """The share of what the machine could do at most, by what bounds this work."""
    if "weft" not in line or not line["weft"]["flops"]:
        return None
    peak = document["machine"]["peak_per_second"]
    per_second = peak.get(line["dtype"])
    if per_second is None:
        return None
    least = max(line["weft"]["flops"] / (per_second * line["threads"]),
                line["weft"]["bytes"] / peak["bytes"])
    return least / (line["tools"]["weft"]["min_ms"] / 1e3)


def ratios(line):
    ours = line["tools"].get("weft")
    return {t: v["min_ms"] / ours["min_ms"] for t, v in line["tools"].items() if ours and t != "weft"}


def goals(line, document):
    """Each goal with the number reached, or nothing where a tool is missing."""
    reached = {}
    for goal, wanted in line["goals"].items():
        if goal == "scaling":
            if line["threads"] > 1:
                reached[goal] = (wanted, scaling(line, document))
        elif goal.startswith("rate of "):
            base = named(goal.removeprefix("rate of "), 1, document)
            reached[goal] = (wanted, rate(line) / rate(base) if base and rate(base) else None)
        else:
            reached[goal] = (wanted, ratios(line).get(goal))
    return reached


def named(name, threads, document):
    found = (l for l in document["lines"] if l["name"] == name and l["threads"] == threads)
    return next(found, None)


def scaling(line, document):
    one = named(line["name"], 1, document)
    if not one or "weft" not in one["tools"] or "weft" not in line["tools"]:
        return None
    return one["tools"]["weft"]["min_ms"] / line["tools"]["weft"]["min_ms"]


def goal_text(goal, wanted, found):
    number = "missing" if found is None else f"{found:.2f}"
    mark = "" if found is None else (" met" if found >= wanted else " NOT MET")
    return f"{goal} {number} (≥ {wanted}){mark}"


def brief(line, document):
    head = f"{line['name']:<34} {line['dtype']} {line['threads']}t"
    if "weft" not in line["tools"]:
        return f"{head}  weft: {line['missing'].get('weft')}"
    share = roofline(line, document)
    parts = [f"weft {line['tools']['weft']['min_ms']:.3f} ms {rate(line) / 1e9:.1f} G/s"]
    parts += [f"roofline {share:.0%}"] if share is not None else []
    parts += [f"{t} ×{r:.2f}" for t, r in ratios(line).items()]
    parts += ["| " + goal_text(g, *v) for g, v in goals(line, document).items()]
    parts += [f"({t}: {why})" for t, why in line["missing"].items()]
    return head + "  " + "  ".join(parts)


def brief_process(found):
    texts = (f"{k} cache {v['min_ms']:.1f} ms (median {v['median_ms']:.1f}, processor "
             f"{v['processor_ms']:.0f}, ≤ {v['goal_ms']:.0f})" for k, v in found.items())
    return "whole process, 256² matmul: " + ", ".join(texts)


def page(document):
    tools = ["numpy", "numba", "jax", "torch", "c"]
    machine = document["machine"]
    peak = machine["peak_per_second"]
    versions = ", ".join(f"{k} {v}" for k, v in machine["versions"].items())
    rows = [
        "# Benchmarks", "",
        f"Made by `make bench` on {document['date']}: {machine['processor']}, {machine['cores']} cores, "
        f"{machine['memory_gib']} GiB, {machine['system']}; {versions}. The load of the machine was "
        f"{document['load']:.1f} before it began.", "",
        f"Measured peak of one thread: {peak['f32'] / 1e9:.0f} G/s in f32, {peak['f64'] / 1e9:.0f} "
        f"in f64 (fused multiplications and additions counted as two), {peak['bytes'] / 1e9:.1f} "
        "GB/s of memory. The roofline's share is the least time that these allow over the time taken.", "",
        "Ratios are the peer's least time over ours, from runs that took turns: above 1 Weft is faster. "
        "Results were compared before anything was timed; compilation and warming up are not "
        "included. An empty field: the tool does not run this line. `benchmarks.json` has the times.", "",
        "| workload | type | threads | ms | G/s | roofline | " + " | ".join(tools) + " | goals |",
        "|---|---|---|---|---|---|" + "---|" * (len(tools) + 1),
    ]
    rows += [row(line, document, tools) for line in document["lines"]]
    if "process" in document:
        rows += ["", brief_process(document["process"]).capitalize() + "."]
    if "compile" in document:
        rows.append(compiling.page(document["compile"]))
    return "\n".join(rows) + "\n"


def row(line, document, tools):
    found, share = ratios(line), roofline(line, document)
    ours = line["tools"].get("weft")
    cells = [line["name"], line["dtype"], str(line["threads"])]
    cells += [f"{ours['min_ms']:.3f}", f"{rate(line) / 1e9:.1f}"] if ours else [line["missing"]["weft"], ""]
    cells.append(f"{share:.0%}" if share is not None else "")
    for tool in tools:
        cells.append(f"{found[tool]:.2f}" if tool in found else
                     ("missing" if tool in line["missing"] else ""))
    cells.append("; ".join(goal_text(g, *v) for g, v in goals(line, document).items()))
    return "| " + " | ".join(cells) + " |"
