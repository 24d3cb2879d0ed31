import { type Exchange, OF_PROCESSES } from './exchange.ts'
import type { Deliver, SignalCarrier } from './signals.ts'

const SIGNAL = '! '

/** Signals to and from other processes over PostgreSQL; what comes in is given to `deliver`. */
export function overExchange(exchange: Exchange, deliver: Deliver): SignalCarrier {
  exchange.hear('processes', text => {
    if (!text.startsWith(SIGNAL)) return
    const { topic, payload, trace } = JSON.parse(text.slice(SIGNAL.length))
    deliver(topic, payload, trace)
  })
  return {
    publish(topic, payload, trace) {
      const text = `${SIGNAL}${JSON.stringify({ topic, payload, trace })}`
      exchange.send({ channel: 'processes', company: OF_PROCESSES, text })
    },
    isReady: exchange.isReady,
    close: () => exchange.close(),
  }
}
