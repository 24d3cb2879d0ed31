import { attr, type BinaryNode, children, firstChild, node } from './nodes.ts'
import type { State } from './state.ts'

/** An order as the server keeps it; amounts in thousandths. */
export interface Order {
  token: string
  currency: string
  items: { id: string; name: string; quantity: number; price: number }[]
}

/** Answers a question about an order: who asks has to know its token. */
export function describeOrder(state: State, stanza: BinaryNode): BinaryNode[] {
  const asked = firstChild(stanza)!
  const order = state.orders.get(attr(asked, 'id'))
  const [token] = children(asked, 'token')
  const given = token?.content instanceof Uint8Array ? Buffer.from(token.content).toString() : ''
  if (!order || given !== order.token) return [node('error', { code: '404', text: 'item-not-found' })]
  const text = (tag: string, value: string | number) => node(tag, {}, Buffer.from(`${value}`))
  const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  const products = order.items.map(({ id, name, quantity, price }) =>
    node('product', {}, [
      text('id', id),
      text('name', name),
      node('image', {}, [text('url', 'https://media.test/1.jpg')]),
      text('price', price),
      text('currency', order.currency),
      text('quantity', quantity),
    ]),
  )
  const sum = node('price', {}, [text('total', total), text('currency', order.currency)])
  return [node('order', { id: attr(asked, 'id') }, [...products, sum])]
}
