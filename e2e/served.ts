/** Addresses of the servers that a test opens beside the product, which must know them from its start. */
export const PORTS = { meta: 'E2E_META_PORT', register: 'E2E_REGISTER_PORT' } as const

/** The product that serves this run. Throws where none does. */
export function productOfTheRun() {
  const { E2E_URL: url, E2E_LOG: log } = process.env
  if (!url || !log) throw new Error('no product was started: run it by Playwright')
  return { url, log }
}

/** The port that the product uses for that server. */
export const portOf = (server: keyof typeof PORTS) => Number(process.env[PORTS[server]])
