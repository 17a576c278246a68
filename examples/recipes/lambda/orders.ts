/**
 * A stand-in for the shop's database, which every copy of the function shares.
 */
export interface Order {
  readonly order_number: string
  readonly amount: number
  readonly currency: string
  readonly paymentId: number
  readonly state: string
}

const rows = new Map<string, Order>()

export const orders = {
  save: async (order: Order) => void rows.set(order.order_number, order),
  byNumber: async (number: string) => rows.get(number),
  byPaymentId: async (paymentId: number) => [...rows.values()].find((order) => order.paymentId === paymentId)
}
