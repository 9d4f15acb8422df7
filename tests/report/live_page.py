"""Live pages of reports in a browser, and the hand on them; for the tests of this folder."""
import json, os, shutil, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chromium import Chromium

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
LANGUAGES = ["en", "de", "es", "pt"]
SOAK = bool(os.environ.get("QDOT_SOAK"))
STATE = "window.qdot.store.get()"
COMPLAINTS = []
QDOT = None


def open_browser(build):
    """The browser for the program of a build; without one the test is skipped."""
    global QDOT
    QDOT = os.path.join(os.path.abspath(build), "qdot")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        print("no browser")
        sys.exit(77)
    return Chromium(program)


def complain(where, what):
    COMPLAINTS.append(f"{where}: {what}")


def expect(where, what, holds):
    if not holds:
        complain(where, what)


def qdot(*arguments):
    done = subprocess.run([QDOT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        complain(" ".join(arguments), f"status {done.returncode}: {done.stdout}")


def report(root, name, language="en"):
    folder = os.path.join(root, name if language == "en" else f"{name}-{language}")
    if not os.path.exists(folder):
        qdot("run", os.path.join(EXAMPLES, name + ".qdot"), "--quiet", "--format", "html", "--lang", language, "--out", folder)
    return os.path.join(folder, "report.html")


class Page:
    """One page in the browser, and the hand on it."""

    def __init__(self, browser, path, width=1100, reduced=False):
        self.browser = browser
        for complaint in browser.open(path, width, reduced=reduced):
            complain(os.path.basename(os.path.dirname(path)), complaint)

    def ask(self, expression):
        return self.browser.ask(expression)

    def until(self, expression, seconds=10):
        end = time.time() + seconds
        while time.time() < end:
            if self.ask(expression):
                return True
            time.sleep(0.02)
        return False

    def place(self, selector, part=(0.5, 0.5)):
        self.ask(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center', behavior: 'instant'}})")
        box = self.ask(f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
                       " return [b.x, b.y, b.width, b.height]; })()")
        return box[0] + part[0] * box[2], box[1] + part[1] * box[3]

    def mouse(self, kind, at, button="none"):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button=button,
                          clickCount=1 if button == "left" else 0)

    def hover(self, selector, part=(0.5, 0.5)):
        self.mouse("mouseMoved", self.place(selector, part))

    def click(self, selector, part=(0.5, 0.5)):
        at = self.place(selector, part)
        self.mouse("mouseMoved", at)
        self.mouse("mousePressed", at, "left")
        self.mouse("mouseReleased", at, "left")

    def drag(self, selector, begin, end):
        a, b = self.place(selector, begin), self.place(selector, end)
        self.mouse("mouseMoved", a)
        self.mouse("mousePressed", a, "left")
        for i in range(1, 6):
            at = (a[0] + (b[0] - a[0]) * i / 5, a[1] + (b[1] - a[1]) * i / 5)
            self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1], button="left")
        self.mouse("mouseReleased", b, "left")

    def type_into(self, selector, text):
        self.ask(f"(() => {{ const e = document.querySelector({selector!r}); e.value = {text!r};"
                 " e.dispatchEvent(new Event('change')); })()")


def report_of(root, name, text, language="en"):
    model, folder = os.path.join(root, name + ".qdot"), os.path.join(root, f"{name}-{language}")
    with open(model, "w", encoding="utf-8") as file:
        file.write(text)
    qdot("run", model, "--quiet", "--format", "html", "--lang", language, "--out", folder)
    return os.path.join(folder, "report.html")


def finish(browser):
    browser.close()
    print("\n".join(COMPLAINTS))
    sys.exit(1 if COMPLAINTS else 0)
