import { texts } from '../../platform/text.ts'

/** Texts used by other screens too. */
export const useCategoryMenuText = texts({
  categories: ['Categorias de contato', 'Contact categories', 'Categorías de contacto'],
})
