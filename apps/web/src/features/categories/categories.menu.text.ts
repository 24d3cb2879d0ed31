import { texts } from '../../platform/text.ts'

/** What other screens say of it too. */
export const useCategoryMenuText = texts({
  categories: ['Categorias de contato', 'Contact categories', 'Categorías de contacto'],
})
