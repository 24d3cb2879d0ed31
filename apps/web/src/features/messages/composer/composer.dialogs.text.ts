import { texts } from '../../../platform/text.ts'

/** Of the dialogs that send a place, contacts or a template: they come when they are opened. */
export const useDialogText = texts({
  searchPlace: ['Buscar localização', 'Search location', 'Buscar ubicación'],
  noPlaces: ['Nenhuma localização cadastrada', 'No saved locations', 'No hay ubicaciones guardadas'],
  noneFound: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  sendThis: ['Enviar', 'Send', 'Enviar'],
  sendNamed: ['Enviar {name}', 'Send {name}', 'Enviar {name}'],
  confirmPlace: ['Enviar a localização {name}?', 'Send the location {name}?', '¿Enviar la ubicación {name}?'],
  mapOf: ['Mapa de {name}', 'Map of {name}', 'Mapa de {name}'],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
  searchContact: ['Buscar contato', 'Search contact', 'Buscar contacto'],
  sendContacts_one: ['Enviar {count} contato', 'Send {count} contact', 'Enviar {count} contacto'],
  sendContacts: ['Enviar {count} contatos', 'Send {count} contacts', 'Enviar {count} contactos'],
  badHeader: [
    '{name} não pode ser enviado: confira o tipo e o tamanho.',
    '{name} cannot be sent: check its type and size.',
    '{name} no se puede enviar: revise el tipo y el tamaño.',
  ],
  preview: ['Como o cliente verá', 'What the customer will see', 'Lo que verá el cliente'],
  back: ['Outro modelo', 'Another template', 'Otra plantilla'],
})
