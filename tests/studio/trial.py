"""A model in the studio, opened in a browser, and what is expected of it."""
import atexit, json, os, shutil, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser
from studio_client import Server

S = "window.qdot_studio"
TEXT, RUN = f"{S}.editor.text()", f"{S}.figure.store().get().run"
READY = f"{S} && {S}.figure.store() && document.querySelector('#modes button, #modes span') && document.querySelector('#story math')"


class Trial:
    """Ends the test at once where there is no browser or no page."""

    def __init__(self, build, source, example, pictures=None):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program or not os.path.exists(build + "/studio-page/studio.js") or not os.path.exists(build + "/qdot-studio"):
            print("no Chromium, or the page was not built")
            sys.exit(77)
        self.build, self.pictures, self.failed, self.folder = build, pictures, 0, tempfile.mkdtemp()
        shutil.copy(f"{source}/examples/{example}.qdot", self.folder)
        self.file = f"{self.folder}/{example}.qdot"
        self.server, self.browser = Server(build, self.file, "--stay"), Browser(program)
        self.address = f"http://127.0.0.1:{self.server.port}/"
        atexit.register(lambda: (self.browser.process.kill(), self.server.process.kill()))

    def restart(self):
        self.server = Server(self.build, self.file, "--stay", "--port", str(self.server.port))

    def expect(self, what, good, found=""):
        if not good:
            self.failed += 1
            print("FAIL", what, str(found)[:400])

    def shows(self, what, expression, seconds=20):
        began = time.time()
        self.expect(what, self.browser.until(expression, seconds), expression)
        if time.time() - began > 3:
            print(f"slow: {what}, {time.time() - began:.1f} s", flush=True)

    def look(self, name):
        if self.pictures:
            self.browser.shot(f"{self.pictures}/{name}.png")

    def put_cursor(self, behind):
        self.browser.ask(f"{S}.editor.view.dispatch({{selection: {{anchor: {TEXT}.indexOf({json.dumps(behind)}) + {len(behind)}}}}}), {S}.editor.focus()")

    def put_text(self, text):
        self.browser.ask(f"{S}.editor.set({json.dumps(text)}, {{is_given: false}})")

    def end(self):
        self.expect("nothing is complained about in the end", not self.browser.complaints(), self.browser.complaints())
        self.browser.close()
        self.expect("the server ends", self.server.end() == 0)
        shutil.rmtree(self.folder)
        print("failed" if self.failed else "the page answers")
        sys.exit(1 if self.failed else 0)
