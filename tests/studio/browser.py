"""A page of the studio in a real browser: Chromium through its debugging pipe."""
import json, os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from chromium import Chromium

KEYS = {"Enter": ("\r", 13), "Tab": ("\t", 9), "Backspace": ("", 8), "Escape": ("", 27), "ArrowRight": ("", 39), "ArrowLeft": ("", 37),
        "ArrowDown": ("", 40), "ArrowUp": ("", 38), "Home": ("", 36), "End": ("", 35), "F2": ("", 113), "F12": ("", 123), "Delete": ("", 46)}
CTRL, SHIFT, ALT = 2, 8, 1


class Browser(Chromium):
    def go(self, url, width=1500, height=950, dark=False):
        self.events, self.own = [], url.split("/")[2]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def leave(self):
        """To an empty page: an address that differs by its fragment alone would not be loaded again."""
        self.call("Page.navigate", url="about:blank")
        self.until("location.href === 'about:blank'")

    def complaints(self):
        return [c for c in super().complaints() if not c.startswith(f"asks the network for http://{self.own}/")]

    def until(self, expression, seconds=20):
        """Waits until the expression is true; False where it never is."""
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.ask(f"!!({expression})"):
                    return True
            except RuntimeError:
                pass
            time.sleep(0.02)
        return False

    def key(self, name, modifiers=0):
        text, code = KEYS.get(name, (name, ord(name[0].upper())))
        for kind in "keyDown", "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind if text and kind == "keyDown" and not modifiers & CTRL else "rawKeyDown" if kind == "keyDown" else kind,
                      key=name, code=name if len(name) > 1 else f"Key{name.upper()}", text=text if kind == "keyDown" and not modifiers & CTRL else "",
                      windowsVirtualKeyCode=code, modifiers=modifiers)

    def type(self, text):
        for letter in text:
            if letter == "\n":
                self.key("Enter")
            else:
                self.call("Input.insertText", text=letter)

    def place(self, selector):
        """The middle of an element."""
        box = self.ask(f"(b => b && [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector({json.dumps(selector)})?.getBoundingClientRect())")
        if not box:
            raise RuntimeError("nothing is " + selector)
        return box

    def mouse(self, kind, x, y, buttons=0, modifiers=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none", buttons=buttons,
                  clickCount=1 if kind != "mouseMoved" else 0, modifiers=modifiers)

    def click(self, at):
        x, y = self.place(at) if isinstance(at, str) else at
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def drag(self, start, end, steps=8, modifiers=0):
        (x, y), (u, v) = start, end
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1, modifiers)
        for i in range(1, steps + 1):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + (u - x) * i / steps, y=y + (v - y) * i / steps, button="left", buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", u, v, modifiers=modifiers)

    def shot(self, path, selector=None):
        """A picture of what is seen, or of one element."""
        import base64
        clip = {}
        if selector:
            x, y, w, h = self.ask(f"(b => [b.x, b.y, b.width, b.height])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
            clip = {"clip": {"x": x, "y": y, "width": w, "height": h, "scale": 1}}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", **clip)["data"]))
