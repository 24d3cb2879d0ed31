import { texts } from '../../platform/text.ts'

export const usePauseReasonText = texts({
  add: ['Adicionar motivo de pausa', 'Add pause reason', 'Agregar motivo de pausa'],
  edit: ['Editar motivo de pausa', 'Edit pause reason', 'Editar motivo de pausa'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: ['Isto não pode ser desfeito.', 'This cannot be undone.', 'Esto no se puede deshacer.'],
  none: ['Ainda não há motivos de pausa', 'No pause reasons yet', 'Todavía no hay motivos de pausa'],
  noneHint: [
    'O que for adicionado aqui vale para toda a empresa.',
    'What is added here is for the whole company.',
    'Lo que se agregue aquí vale para toda la empresa.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
})
