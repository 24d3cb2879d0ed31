import { texts } from '../../platform/text.ts'

/** Menu texts: part of the entry script; the screens' own texts load with them. */
export const useFlowMenuText = texts({
  flows: ['Fluxos', 'Flows', 'Flujos'],
})
