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
        elif name == "p" or name == "summary" or name == "figcaption":
            known |= names_in(node)
        elif kind == "formula":
            for symbol in names_in(node):
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
