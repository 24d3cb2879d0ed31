import { texts } from '../../platform/text.ts'

/** What the menu says. It stands in the entry script, the screens' own texts come with them. */
export const useFlowMenuText = texts({
  flows: ['Fluxos', 'Flows', 'Flujos'],
})
