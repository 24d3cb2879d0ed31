import { texts } from '../../platform/text.ts'

export const useCategoryText = texts({
  add: ['Adicionar categoria', 'Add category', 'Agregar categoría'],
  edit: ['Editar categoria', 'Edit category', 'Editar categoría'],
  back: ['Voltar para os contatos', 'Back to the contacts', 'Volver a los contactos'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeNone: [
    'Nenhum contato tem esta categoria. Isto não pode ser desfeito.',
    'No contact has this category. This cannot be undone.',
    'Ningún contacto tiene esta categoría. Esto no se puede deshacer.',
  ],
  removeHint_one: [
    'Ela sai de {count} contato, que continua. Isto não pode ser desfeito.',
    'It is taken off {count} contact, which stays. This cannot be undone.',
    'Se quita de {count} contacto, que continúa. Esto no se puede deshacer.',
  ],
  removeHint: [
    'Ela sai de {count} contatos, que continuam. Isto não pode ser desfeito.',
    'It is taken off {count} contacts, which stay. This cannot be undone.',
    'Se quita de {count} contactos, que continúan. Esto no se puede deshacer.',
  ],
  none: ['Ainda não há categorias', 'No categories yet', 'Todavía no hay categorías'],
  noneHint: [
    'Categorias marcam contatos: quem revende, quem compra muito, de que cidade é.',
    'Categories mark contacts: who resells, who buys a lot, which city they are from.',
    'Las categorías marcan contactos: quién revende, quién compra mucho, de qué ciudad es.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
  color: ['Cor', 'Colour', 'Color'],
  preview: ['Como aparece:', 'How it is shown:', 'Cómo se muestra:'],
  contacts: ['Contatos', 'Contacts', 'Contactos'],
  taken: [
    'Outra categoria já se chama assim.',
    'Another category has this name.',
    'Otra categoría ya se llama así.',
  ],
  merge: ['Juntar com ela', 'Merge with it', 'Unir con ella'],
  mergeTitle: ['Juntar {from} com {into}?', 'Merge {from} with {into}?', '¿Unir {from} con {into}?'],
  mergeHint: [
    'Todos os contatos de {from} passam a ter {into}, e {from} é excluída. Isto não pode ser desfeito.',
    'All contacts of {from} get {into}, and {from} is deleted. This cannot be undone.',
    'Todos los contactos de {from} pasan a tener {into}, y {from} se elimina. Esto no se puede deshacer.',
  ],
  merged: [
    'As categorias agora são uma só',
    'The categories are one now',
    'Las categorías ahora son una sola',
  ],
  mergeDo: ['Juntar', 'Merge', 'Unir'],
  unnamed: ['Categoria', 'Category', 'Categoría'],
})
