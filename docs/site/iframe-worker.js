// A Worker for pages that are read from files, where browsers allow none: a hidden frame does its work. The search uses it.
"use strict";
if (location.protocol === "file:") {
    window.IFrameWorker = window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            this.waiting = [];                      // what it is sent before it is there
            this.frame = document.createElement("iframe");
            this.frame.hidden = true;
            this.frame.answer = data => this.dispatchEvent(new MessageEvent("message", { data }));
            this.frame.srcdoc = "<script>window.postMessage = data => frameElement.answer(data)</" + "script>"
                + `<script src="${url}"></` + "script>";
            this.frame.addEventListener("load", () => {
                const waiting = this.waiting;
                this.waiting = null;
                waiting.forEach(data => this.postMessage(data));
            });
            document.body.appendChild(this.frame);
        }
        postMessage(data) {
            if (this.waiting)
                this.waiting.push(data);
            else
                this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
        }
    };
}
