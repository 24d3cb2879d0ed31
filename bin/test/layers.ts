/** Tests of one kind, run together, with what they may cost. */
export interface Layer {
  name: string
  /** Projects of vitest.config.ts; none for the browser, which Playwright drives. */
  projects: string[]
  /** CPU seconds, all processes together, on the processor of speed.ts. A run that needs twice as much fails. */
  budget: number
}

/** From the quickest to the slowest. CONTRIBUTING.md describes what is proven in which. */
export const layers: Layer[] = [
  { name: 'rules', projects: ['contract', 'web', 'bin'], budget: 170 },
  { name: 'screens', projects: ['screens'], budget: 150 },
  { name: 'server', projects: ['server'], budget: 370 },
  {
    name: 'protocol',
    projects: [
      'whatsapp-server',
      'cloud-api-server',
      'openai-server',
      'asaas-server',
      'mercadopago-server',
      'protocol',
    ],
    budget: 250,
  },
  { name: 'crash', projects: ['crash'], budget: 350 },
  { name: 'browser', projects: [], budget: 400 },
]

/** How much of a budget may be used before the run fails: what grows is cut back, or the budget is raised in the open. */
export const TOLERANCE = 2
