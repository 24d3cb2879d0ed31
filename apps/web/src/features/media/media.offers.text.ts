import { texts } from '../../platform/text.ts'

/** Texts of products and of invitations to groups. */
export const useOfferText = texts({
  product: ['Produto', 'Product', 'Producto'],
  page: ['Abrir a página do produto', 'Open the product’s page', 'Abrir la página del producto'],
  invite: ['Convite para grupo', 'Invitation to a group', 'Invitación a un grupo'],
  until: ['Vale até {time}', 'Valid until {time}', 'Válida hasta {time}'],
  onPhone: [
    'Entre pelo celular da empresa',
    'Join on the company’s phone',
    'Únase desde el teléfono de la empresa',
  ],
})
