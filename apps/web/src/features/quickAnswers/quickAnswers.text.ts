import { texts } from '../../platform/text.ts'

export const useQuickAnswerText = texts({
  add: ['Adicionar resposta rápida', 'Add quick answer', 'Agregar respuesta rápida'],
  edit: ['Editar resposta rápida', 'Edit quick answer', 'Editar respuesta rápida'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: ['Isto não pode ser desfeito.', 'This cannot be undone.', 'Esto no se puede deshacer.'],
  none: ['Ainda não há respostas rápidas', 'No quick answers yet', 'Todavía no hay respuestas rápidas'],
  noneHint: [
    'O que for adicionado aqui vale para toda a empresa, para uma fila ou só para você.',
    'What is added here is for the whole company, for a queue or only for you.',
    'Lo que se agregue aquí vale para toda la empresa, para una cola o solo para usted.',
  ],
  shortcut: ['Atalho', 'Shortcut', 'Atajo'],
  message: ['Mensagem', 'Message', 'Mensaje'],
})
