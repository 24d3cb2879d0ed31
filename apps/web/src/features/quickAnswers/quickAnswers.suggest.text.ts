import { texts } from '../../platform/text.ts'

/** Texts of the list above the composer. */
export const useSuggestText = texts({
  quickAnswers: ['Respostas rápidas', 'Quick answers', 'Respuestas rápidas'],
  insert: ['inserir', 'insert', 'insertar'],
  found_one: ['{count} resposta rápida', '{count} quick answer', '{count} respuesta rápida'],
  found: ['{count} respostas rápidas', '{count} quick answers', '{count} respuestas rápidas'],
  foundMore: [
    'Mais de {count} respostas rápidas',
    'More than {count} quick answers',
    'Más de {count} respuestas rápidas',
  ],
})
