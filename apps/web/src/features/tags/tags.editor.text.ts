import { texts } from '../../platform/text.ts'

/** Texts of the tag editor in a conversation. */
export const useTagEditorText = texts({
  tag: ['Etiqueta', 'Tag', 'Etiqueta'],
  tagsOf: ['Etiquetas do atendimento', 'Tags of the ticket', 'Etiquetas de la atención'],
  write: ['Buscar ou criar', 'Search or create', 'Buscar o crear'],
  create: ['Criar “{name}”', 'Create “{name}”', 'Crear “{name}”'],
  none: [
    'Nenhuma etiqueta ainda. Escreva um nome para criar a primeira.',
    'No tags yet. Write a name to create the first.',
    'Aún no hay etiquetas. Escriba un nombre para crear la primera.',
  ],
  failed: [
    'As etiquetas não puderam ser carregadas',
    'The tags could not be loaded',
    'No se pudieron cargar las etiquetas',
  ],
})
