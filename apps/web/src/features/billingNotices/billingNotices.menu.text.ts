import { texts } from '../../platform/text.ts'

/** What the menu says. It stands in the entry script, the screen's own texts come with the screen. */
export const useNoticeMenuText = texts({
  templates: ['Modelos de aviso', 'Notice templates', 'Modelos de aviso'],
})
