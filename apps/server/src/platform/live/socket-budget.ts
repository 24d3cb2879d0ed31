import type { Server, Socket } from 'socket.io'

type Client = Socket['conn']

/**
 * How many packets the screens of one user may send together, and a socket before it has authenticated. A
 * screen that reconnects sends about five, a user who skims tickets by keyboard about ten a second.
 */
const MOST = 300
const A_SECOND = 30
/** Who was cut off stays out for this long. */
const OUT_SECONDS = 10

interface Budget {
  left: number
  at: number
}

/**
 * Counts every packet, and disconnects a socket that exceeds its budget: what it sent
 * already is not read. `claim` counts it with its owner's other lines; false while the owner has to stay out.
 */
export function limitSockets(engine: Server['engine'], cutOff: (owner: string | null) => void) {
  const ofOwner = new Map<string, Budget>()
  const owners = new WeakMap<Client, string>()

  engine.on('connection', (client: Client) => {
    const own = full()
    client.on('packet', () => {
      const owner = owners.get(client) ?? null
      const budget = owner === null ? own : budgetOf(owner)
      if (client.readyState !== 'open' || spend(budget)) return
      budget.left = -OUT_SECONDS * A_SECOND
      cutOff(owner)
      client.close(true)
      client.request.socket.destroySoon()
    })
  })

  function budgetOf(owner: string) {
    const known = ofOwner.get(owner)
    if (known) return known
    if (ofOwner.size >= 10_000)
      for (const [key, one] of ofOwner) if (refilled(one) === MOST) ofOwner.delete(key)
    const budget = full()
    ofOwner.set(owner, budget)
    return budget
  }

  return {
    claim(client: Client, owner: string): boolean {
      owners.set(client, owner)
      return refilled(budgetOf(owner)) >= 1
    },
  }
}

const full = (): Budget => ({ left: MOST, at: performance.now() })

function refilled(budget: Budget) {
  const now = performance.now()
  budget.left = Math.min(MOST, budget.left + ((now - budget.at) / 1000) * A_SECOND)
  budget.at = now
  return budget.left
}

const spend = (budget: Budget) => refilled(budget) >= 1 && budget.left-- > 0
