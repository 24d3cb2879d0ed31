import type { OrderData } from '@balcao/contract/media.ts'
import type { proto, WASocket } from 'baileys'
import { countFrom, lineFrom, textFrom } from './text.ts'

const MOST_ITEMS = 100
/** Amounts of a catalogue are in thousandths (`totalAmount1000`). */
const THOUSANDTHS = 1_000

type Details = Awaited<ReturnType<WASocket['getOrderDetails']>>

/** An order as its message describes it: without its items, for which the server is asked. */
export function orderFrom(part: proto.Message.IOrderMessage): OrderData {
  const total = countFrom(part.totalAmount1000)
  return {
    items: [],
    note: textFrom(part.message),
    title: lineFrom(part.orderTitle),
    count: countFrom(part.itemCount, 100_000),
    total: total === null ? null : total / THOUSANDTHS,
    currency: currencyFrom(part.totalCurrencyCode),
  }
}

/** The order with its items, for which the server is asked; as it is without what the question needs. */
export async function detailedOrder(
  order: OrderData,
  { orderId, token }: proto.Message.IOrderMessage,
  ask: WASocket['getOrderDetails'],
): Promise<OrderData> {
  const id = lineFrom(orderId)
  const secret = lineFrom(token, 2_048)
  return id && secret ? withItems(order, await ask(id, secret)) : order
}

function withItems(order: OrderData, { price, products }: Details): OrderData {
  const items = products
    .filter((_, at) => at < MOST_ITEMS)
    .map(({ id, name, quantity, price: each, currency }) => ({
      product: lineFrom(id),
      name: lineFrom(name),
      quantity: countFrom(quantity, 1_000_000) ?? 1,
      price: amountFrom(each),
      currency: currencyFrom(currency),
    }))
  const total = amountFrom(price.total)
  return { ...order, items, ...(total !== null && { total, currency: currencyFrom(price.currency) }) }
}

const amountFrom = (amount: number) => {
  const known = countFrom(amount)
  return known === null ? null : known / THOUSANDTHS
}

const currencyFrom = (code: unknown) => (/^[A-Z]{3}$/.test(lineFrom(code)) ? lineFrom(code) : '')
