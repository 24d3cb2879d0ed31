import { texts } from '../../platform/text.ts'

/** Texts of what led a customer here. */
export const useReferralText = texts({
  ad: ['Veio de um anúncio', 'Came from an ad', 'Vino de un anuncio'],
  post: ['Veio de uma publicação', 'Came from a post', 'Vino de una publicación'],
  product: ['Perguntou sobre um produto', 'Asked about a product', 'Preguntó por un producto'],
  other: ['Veio por um link', 'Came by a link', 'Vino por un enlace'],
  image: ['Ver imagem', 'See picture', 'Ver imagen'],
  video: ['Ver vídeo', 'See video', 'Ver video'],
  productId: ['Produto {id}', 'Product {id}', 'Producto {id}'],
  sourceId: ['Código: {id}', 'Id: {id}', 'Código: {id}'],
  unknownAd: [
    'O WhatsApp não informou qual anúncio.',
    'WhatsApp did not tell which ad.',
    'WhatsApp no informó qué anuncio.',
  ],
})
