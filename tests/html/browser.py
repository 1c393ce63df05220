# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through the DevTools protocol over a pipe: no
network, no package but Python."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `errors` has what went wrong in it: exceptions, messages of
    the console that are errors, requests for anything but the page."""

    def __init__(self, width=1440, height=1000):
        self.profile = tempfile.mkdtemp(prefix="heddle-chromium.")
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()
        command = (f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}')
        self.process = subprocess.Popen(
            ["sh", "-c", command, find(), "--headless=new", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session = b"", 0, None
        self.errors, self.seen = [], []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.size(width, height)

    def size(self, width, height, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=scale, mobile=mobile)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise TimeoutError("Chromium does not answer")
            part = os.read(self.read, 1 << 20)
            if not part:
                raise EOFError("Chromium has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, seconds=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message(seconds)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            thrown = details.get("exception", {}).get("description", "")
            self.errors.append(f"{details['text']} {thrown}")
        elif method == "Runtime.consoleAPICalled" and \
                params["type"] in ("error", "assert", "warning"):
            self.errors.append(str([a.get("value") for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url != self.url and not url.startswith("data:"):
                self.errors.append(f"asks for {url}")
        elif method == "Page.loadEventFired":
            self.seen.append("load")

    url = None

    def open(self, path):
        """Loads the file; the seconds it took until the page was ready."""
        self.url = "file://" + os.path.abspath(path)
        self.errors.clear()
        start = time.monotonic()
        self.call("Page.navigate", url=self.url)
        while self.eval("document.documentElement?.dataset.ready === '1' && "
                        "location.href") != self.url:
            if time.monotonic() - start > 60:
                raise TimeoutError(f"{path} is not ready; {self.errors}")
            time.sleep(0.01)
        return time.monotonic() - start

    def eval(self, text):
        result = self.call("Runtime.evaluate", expression=text,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def settle(self):
        """Two frames later everything is drawn."""
        self.eval("new Promise(done => requestAnimationFrame(() => "
                  "requestAnimationFrame(() => done(1))))")

    def click(self, selector):
        box = self.eval(f"(() => {{ const e = document.querySelector("
                        f"{json.dumps(selector)}); e.scrollIntoView("
                        f"{{block: 'nearest'}}); const b = "
                        f"e.getBoundingClientRect(); "
                        f"return [b.x + b.width / 2, b.y + b.height / 2]; }})()")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1],
                      button="left", clickCount=1)

    def key(self, key):
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35,
                 "PageDown": 34, "PageUp": 33, " ": 32, "Escape": 27}
        extra = {"windowsVirtualKeyCode": codes[key]} if key in codes else \
            {"text": key}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path, whole=False):
        self.settle()
        shot = self.call("Page.captureScreenshot", format="png",
                         captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close", seconds=10)
            self.process.wait(10)
        except (EOFError, OSError, RuntimeError, TimeoutError,
                subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)
        shutil.rmtree(self.profile, ignore_errors=True)
