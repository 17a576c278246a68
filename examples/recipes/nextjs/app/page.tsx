export default function Shop() {
  return (
    <form method="post" action="/checkout">
      <button>Order a shirt for 1,399.50 CZK</button>
    </form>
  )
}
