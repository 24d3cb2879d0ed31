import { texts } from '../../platform/text.ts'

export const useTagText = texts({
  add: ['Adicionar etiqueta', 'Add tag', 'Agregar etiqueta'],
  edit: ['Editar etiqueta', 'Edit tag', 'Editar etiqueta'],
  saved: ['Etiqueta salva', 'Tag saved', 'Etiqueta guardada'],
  removed: ['Etiqueta excluída', 'Tag deleted', 'Etiqueta eliminada'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: ['Nenhum atendimento a tem.', 'No ticket has it.', 'Ninguna atención la tiene.'],
  removeUsed_one: [
    'Um atendimento a tem e fica sem ela.',
    'One ticket has it and stays without it.',
    'Una atención la tiene y queda sin ella.',
  ],
  removeUsed: [
    '{count} atendimentos a têm e ficam sem ela.',
    '{count} tickets have it and stay without it.',
    '{count} atenciones la tienen y quedan sin ella.',
  ],
  none: ['Ainda não há etiquetas', 'No tags yet', 'Todavía no hay etiquetas'],
  noneHint: [
    'O que for adicionado aqui vale para toda a empresa.',
    'What is added here is for the whole company.',
    'Lo que se agregue aquí vale para toda la empresa.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
  color: ['Cor', 'Colour', 'Color'],
  tickets: ['Atendimentos', 'Tickets', 'Atenciones'],
  board: ['Abrir o Kanban', 'Open the Kanban', 'Abrir el Kanban'],
  kanban: ['Raia do quadro', 'Lane of the board', 'Carril del tablero'],
  kanbanHint: [
    'O Kanban mostra uma coluna com os atendimentos que a têm.',
    'The Kanban shows a column of the tickets that have it.',
    'El Kanban muestra una columna con las atenciones que la tienen.',
  ],
  taken: [
    'Outra etiqueta já tem este nome.',
    'Another tag has this name already.',
    'Otra etiqueta ya se llama así.',
  ],
  merge: ['Juntar com ela', 'Merge with it', 'Unir con ella'],
  mergeTitle: ['Juntar {from} com {into}?', 'Merge {from} with {into}?', '¿Unir {from} con {into}?'],
  mergeHint: [
    'Todos os atendimentos de {from} passam a ter {into}, e {from} é excluída. Isto não pode ser desfeito.',
    'All tickets of {from} get {into}, and {from} is deleted. This cannot be undone.',
    'Todas las atenciones de {from} pasan a tener {into}, y {from} se elimina. Esto no se puede deshacer.',
  ],
  merged: ['As etiquetas agora são uma só', 'The tags are one now', 'Las etiquetas ahora son una sola'],
  mergeDo: ['Juntar', 'Merge', 'Unir'],
  yes: ['Sim', 'Yes', 'Sí'],
})
