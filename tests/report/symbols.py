"""What a page's formulas use and nothing on it explains."""
import re
import xml.etree.ElementTree as tree


def local(node):
    return node.tag.rsplit("}", 1)[-1]


def names_in(node):
    return {one.get("data-s") for one in node.iter() if one.get("data-s")}


def is_relation(node):
    return local(node) == "mo" and (node.text or "").strip() in ("=", "≤", "<", "≥", ">")


def left_side(formula):
    """The symbols before the first relation; None where there is none."""
    found = set()
    for part in formula.iter("math"):
        for node in part:
            if is_relation(node):
                return found
            found |= names_in(node)
    return None


def undefined(path):
    """Symbols of formulas that stand in no table, on no left side and in no sentence."""
    with open(path, encoding="utf-8") as file:
        page = tree.fromstring(file.read())
    used, known = {}, {"t"}
    for node in page.iter():
        name, kind = local(node), node.get("class")
        if name == "tr" and len(node):
            known |= names_in(node[0])
        elif name == "p" or name == "summary":
            known |= names_in(node)
        elif name == "figcaption":
            for symbol in names_in(node):
                used.setdefault(symbol.rstrip("'"), "a caption")
        elif kind == "formula":
            names = names_in(node)
            for symbol in names:
                if not any(f"[{symbol}]" in other for other in names):  # an index, as of x[j]
                    used.setdefault(symbol, "".join(node.itertext())[:90])
            left = left_side(node)
            if left is not None and len(left) == 1:
                known |= left | {name.split("[")[0] for name in left}
    # x[i] in a table or on a left side explains x[1], x[2] ...; x[1] explains the name x[i]
    families = {re.sub(r"\[\D[^\]]*\]", "[]", name) for name in known}
    members = {re.sub(r"\[\d+\]", "[]", name) for name in known}

    def is_known(symbol):
        return (symbol in known or re.sub(r"\[[^\]]*\]", "[]", symbol) in families or
                re.sub(r"\[\D[^\]]*\]", "[]", symbol) in members)
    return [f"{symbol} in {where}" for symbol, where in used.items() if not is_known(symbol)]


def empty_columns(path):
    """Heads of tables under which nothing stands."""
    with open(path, encoding="utf-8") as file:
        page = tree.fromstring(file.read())
    for table in (node for node in page.iter() if local(node) == "table"):
        rows = [["".join(cell.itertext()).strip() for cell in row] for row in table.iter() if local(row) == "tr"]
        for k, head in enumerate(rows[0] if len(rows) > 1 else []):
            if head and head not in UNITS and not any(row[k] for row in rows[1:] if k < len(row)):
                yield head


UNITS = ("unit", "Einheit", "unidad", "unidade")  # pure numbers have none


def parts_told_twice(path):
    """Parts of energies, T_rod ..., that have two formulas."""
    with open(path, encoding="utf-8") as file:
        page = tree.fromstring(file.read())
    left = [name for node in page.iter() if node.get("class") == "formula" for name in left_side(node) or set()]
    return {name for name in left if re.match(r"[TVR]_", name) and left.count(name) > 1}


def idle_abbreviations(path):
    """Names s_1, s_2 ... that are defined and used nowhere, or that leave a number out."""
    with open(path, encoding="utf-8") as file:
        page = tree.fromstring(file.read())
    defined, used = [], {}
    for node in page.iter():
        if node.get("class") == "formula":
            left = left_side(node) or set()
            for symbol in names_in(node):
                used[symbol] = used.get(symbol, 0) + 1
            defined += [name for name in left if len(left) == 1 and re.fullmatch(r"(s|p|c|s+)_\d+", name)]
    numbers = [int(name.split("_")[1]) for name in defined]
    ours = numbers == list(range(1, len(numbers) + 1))
    return [name for name in defined if ours and used[name] < 2]
