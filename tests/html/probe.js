// Put at the head of a page by tests/html.rs: it waits until the page is there, looks at it as an
// accessibility checker would, and sends its results to the page that frames it.
(() => {
  "use strict";
  const errors = [];
  const steps = (async () => {})/*STEPS*/;
  addEventListener("error", (event) => errors.push(event.message || `not loaded: ${event.target.outerHTML}`), true);
  addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => errors.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));

  const all = (selector) => [...document.querySelectorAll(selector)];
  const excerpt = (element) => element.outerHTML.slice(0, 160);
  const isHidden = (element) => !element.checkVisibility({ visibilityProperty: true });

  // The name that a screen reader says, as far as these pages need it.
  const name = (element) => (element.getAttribute("aria-label")
    || [...(element.labels ?? [])].map((label) => label.textContent).join(" ")
    || element.textContent).trim();

  const rgb = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return { c: parts.slice(0, 3), a: parts[3] ?? 1 };
  };
  const over = (top, under) => top.c.map((value, index) => value * top.a + under[index] * (1 - top.a));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = rgb(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own.c : over(own, ground(element.parentElement));
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  function contrast() {
    let least = 99, texts = 0;
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && texts < 4000; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || ["SCRIPT", "STYLE"].includes(element.tagName) || isHidden(element) || element.closest(".vh")) continue;
      const under = ground(element);
      const found = ratio(over(rgb(getComputedStyle(element).color), under), under);
      texts += 1;
      least = Math.min(least, found);
      if (found < 4.5) faint.push(`${found.toFixed(2)} ${excerpt(element)}`);
    }
    return { least, texts, faint };
  }

  function unfocusable() {
    const reached = all("a[href], button, input, select, summary, [tabindex='0']").filter((element) => !isHidden(element)).slice(0, 80);
    return reached.filter((element) => {
      element.focus();
      return document.activeElement !== element || getComputedStyle(element).outlineStyle === "none";
    }).map(excerpt);
  }

  function look() {
    const labelled = (element) => element.getAttribute("aria-label") || document.getElementById(element.getAttribute("aria-labelledby"));
    const ids = all("[id]").map((element) => element.id);
    const levels = all("h1, h2, h3, h4, h5, h6").filter((element) => !isHidden(element)).map((element) => Number(element.tagName[1]));
    return {
      title: document.title,
      lang: document.documentElement.lang,
      viewport: document.querySelector("meta[name=viewport]")?.content ?? "",
      landmarks: ["header", "nav", "main", "footer"].filter((tag) => all(`body > ${tag}`).length !== 1),
      unnamed: all("a, button, input, select, summary").filter((element) => !name(element)).map(excerpt)
        .concat(all("nav, section, form, [role=region]").filter((element) => !labelled(element)).map(excerpt)),
      tables: all("table").filter((table) => !table.caption || table.querySelector("th:not([scope])")).map(excerpt),
      repeated: ids.filter((id, index) => ids.indexOf(id) !== index),
      headings: levels[0] === 1 && levels.every((level, index) => index === 0 || level <= levels[index - 1] + 1),
      tabbed: all("[tabindex]").filter((element) => element.tabIndex > 0).map(excerpt),
      first: all("a[href], button, input, select")[0]?.className ?? "",
      foreign: all("img, iframe, object, embed, link, base, form[action], [src], [style]").map(excerpt),
      handlers: all("*").filter((element) => [...element.attributes].some((found) => found.name.startsWith("on"))).map(excerpt),
      loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      contrast: contrast(),
      unfocusable: unfocusable(),
    };
  }

  addEventListener("load", () => setTimeout(async () => {
    let seen;
    try {
      seen = { acted: await steps(), ...look(), errors };
    } catch (error) {
      seen = { errors: [...errors, String(error)] };
    }
    const paint = performance.getEntriesByType("paint").map((entry) => [entry.name, entry.startTime]);
    const text = JSON.stringify({ ...seen, paint: Object.fromEntries(paint) });
    // The browser is asked for the document, in which these would be written otherwise.
    const plain = text.replace(/[<>&\u00a0]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
    parent.postMessage(plain, "*");
  }, 50));
})();
