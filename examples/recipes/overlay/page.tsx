import { createRoot } from "react-dom/client"
import { pay } from "./overlay.js"
import { PayButton } from "./PayButton.js"

const root = document.getElementById("react")
const scriptUrl = document.body.dataset["script"] ?? ""

const createPayment = async () => (await fetch("/payments", { method: "POST" })).text()

if (root !== null) {
  createRoot(root).render(
    <PayButton scriptUrl={scriptUrl} createPayment={createPayment}>
      Pay with React
    </PayButton>
  )
}

document.getElementById("plain")?.addEventListener("click", async () => {
  const { url } = await pay(scriptUrl, await createPayment())
  location.assign(url)
})
