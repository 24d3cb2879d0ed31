import { texts } from '../../platform/text.ts'

/** Menu texts: part of the entry script; the screen's own texts load with the screen. */
export const useQuickAnswerMenuText = texts({
  quickAnswers: ['Respostas rápidas', 'Quick answers', 'Respuestas rápidas'],
})
