/**
 * The scripts of the pay page: one for the merchant's page, and one for the pay page itself.
 *
 * They exchange messages. Each side names the origin to which a message goes, so that no other page gets it: the
 * merchant's script knows the gateway's origin from its own address, and passes its own to the pay page in the query
 * `inline`. Each side reads only messages from that origin and that window. Anyone who can open a pay page in a frame
 * knows its secret address, and could read everything in the message there.
 *
 * The scripts are kept as text, because the text of a function would include additions of a compiler or bundler.
 */

/** The mark of the pay page's messages. */
const messageSource = "effect-gopay"

/** `/gp-gw/js/embed.js`: opens the pay page over the merchant's page, for the documented form and `_gopay.checkout`. */
export const embedScript = `"use strict";
(() => {
  const gatewayOrigin = new URL(document.currentScript.src).origin;
  let closeOpenOverlay = () => {};
  let httpsExplained = false;

  const webAddress = (address) => {
    const url = new URL(address, document.baseURI);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
    throw new TypeError("_gopay.checkout: gatewayUrl must be an http or https address, the gw_url of a payment.");
  };

  const explainHttps = () => {
    if (httpsExplained || location.protocol === "https:") return;
    httpsExplained = true;
    console.info("GoPay opens its overlay only over https, and redirects otherwise. This local gateway also opens it over http.");
  };

  const canEmbed = (url) => {
    if (location.origin === "null") return false;
    if (url.origin === gatewayOrigin) return true;
    console.warn("The pay page is at " + url.origin + " and this script at " + gatewayOrigin + ", so the browser is redirected instead of opening the overlay.");
    return false;
  };

  const styled = (name, style) => Object.assign(document.createElement(name), { style });

  const openOverlay = (url, callback) => {
    closeOpenOverlay();
    const czech = document.documentElement.lang.toLowerCase().startsWith("cs");
    url.searchParams.set("inline", location.origin);

    const dialog = styled("dialog",
      "position:fixed;inset:0;box-sizing:border-box;width:100vw;height:100vh;height:100dvh;max-width:none;max-height:none;" +
      "margin:0;border:0;padding:min(2vw,1rem);background:rgba(10,12,24,.72);display:grid;place-items:center;overflow:hidden");
    dialog.setAttribute("aria-label", czech ? "Platba" : "Payment");

    const frame = styled("iframe",
      "grid-area:1/1;width:100%;height:100%;max-width:64rem;max-height:56rem;border:0;border-radius:14px;background:#fff");
    frame.title = czech ? "Platební stránka" : "Pay page";
    frame.src = url.href;

    const close = styled("button",
      "grid-area:1/1;place-self:start end;z-index:1;width:44px;height:44px;border:2px solid #fff;border-radius:50%;" +
      "padding:0 0 3px;background:#1a1f36;color:#fff;font:24px/1 system-ui,sans-serif;text-align:center;cursor:pointer");
    close.type = "button";
    close.textContent = "\\u00d7";
    close.setAttribute("aria-label", czech ? "Zavřít platbu" : "Close the payment");

    const overflow = document.documentElement.style.overflow;
    const finish = () => {
      removeEventListener("message", receive);
      document.documentElement.style.overflow = overflow;
      dialog.close();
      dialog.remove();
      closeOpenOverlay = () => {};
    };
    const receive = ({ data, origin, source }) => {
      if (origin !== gatewayOrigin || source !== frame.contentWindow) return;
      if (data === null || typeof data !== "object" || data.source !== "${messageSource}") return;
      if (data.type === "close") finish();
      if (data.type !== "finished") return;
      finish();
      const { id, state, url } = data;
      if (typeof callback === "function") callback({ url, id, state });
      else if (url !== "") location.assign(webAddress(url).href);
    };

    dialog.append(close, frame);
    close.addEventListener("click", finish);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      finish();
    });
    addEventListener("message", receive);
    document.body.append(dialog);
    document.documentElement.style.overflow = "hidden";
    dialog.showModal();
    frame.focus();
    closeOpenOverlay = finish;
  };

  const checkout = ({ gatewayUrl, inline }, callback) => {
    const url = webAddress(String(gatewayUrl).trim());
    if (inline) explainHttps();
    if (inline && canEmbed(url)) openOverlay(url, callback);
    else location.assign(url.href);
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("id") !== "gopay-payment-button") return;
    event.preventDefault();
    checkout({ gatewayUrl: form.getAttribute("action"), inline: true });
  });

  window._gopay = { checkout };
})();
`

/** How often a page polls whether its payment has changed. */
const standingMillis = 2000

/**
 * The script of the pay page. In an overlay it reports that the payer is done or wants to close it. Everywhere it keeps
 * a form from being sent twice, and reloads the page when the payment has changed. Without it the page works the same,
 * except for those reports.
 */
export const payPageScript = `"use strict";
(() => {
  const { inline, result, standing, standingAddress } = document.querySelector("[data-page]").dataset;
  const tell = (message) => parent.postMessage({ source: "${messageSource}", ...message }, inline);
  if (inline && parent !== window) {
    if (result) tell({ type: "finished", ...JSON.parse(result) });
    // Browsers block the attribute autofocus in a frame.
    document.querySelector("[role=alert]")?.focus();
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") tell({ type: "close" });
    });
  }
  const number = document.getElementById("number");
  number?.addEventListener("input", () => {
    document.querySelector("[data-card-ending]").textContent = number.value.replace(/\\D/g, "").slice(-4);
  });
  for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.copied;
    });
  }
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.ariaBusy === "true") event.preventDefault();
    form.ariaBusy = "true";
  });
  addEventListener("pageshow", () => {
    for (const form of document.forms) form.ariaBusy = null;
  });
  const isLeaving = () => [...document.forms].some((form) => form.ariaBusy === "true");
  const lookAgain = async () => {
    if (document.hidden || isLeaving()) return;
    try {
      const response = await fetch(standingAddress);
      if (response.ok && (await response.text()) !== standing && !isLeaving()) location.replace(location.href.split("#")[0]);
    } catch {
      // The gateway has stopped. It may come back.
    }
  };
  if (standing) {
    setInterval(lookAgain, ${standingMillis});
    document.addEventListener("visibilitychange", lookAgain);
  }
})();
`
