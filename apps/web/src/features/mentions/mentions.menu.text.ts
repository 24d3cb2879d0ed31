import { texts } from '../../platform/text.ts'

/** Menu texts: part of the entry script; the screen's own texts load with the screen. */
export const useMentionMenuText = texts({
  mentions: ['Menções', 'Mentions', 'Menciones'],
})
