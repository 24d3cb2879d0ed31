import { texts } from '../../../platform/text.ts'

/** What stands beside a conversation. */
export const useDrawerText = texts({
  contact: ['Contato', 'Contact', 'Contacto'],
  close: ['Fechar', 'Close', 'Cerrar'],
  call: ['Ligar', 'Call', 'Llamar'],
  mail: ['E-mail', 'E-mail', 'Correo'],
  lid: ['LID', 'LID', 'LID'],
  noNumber: ['Número ainda desconhecido', 'Number not known yet', 'Número aún desconocido'],
  tags: ['Etiquetas do atendimento', 'Tags of the ticket', 'Etiquetas de la atención'],
  categories: ['Categorias', 'Categories', 'Categorías'],
  extra: ['Informações adicionais', 'Additional information', 'Información adicional'],
  earlier: ['Atendimentos anteriores', 'Earlier tickets', 'Atenciones anteriores'],
  noEarlier: ['Este é o primeiro', 'This is the first', 'Esta es la primera'],
  files: ['Mídia e documentos', 'Media and documents', 'Multimedia y documentos'],
  noFiles: ['Nada foi enviado ainda', 'Nothing was sent yet', 'Aún no se envió nada'],
  more: ['Ver mais', 'See more', 'Ver más'],
  failed: ['Não foi possível carregar', 'It could not be loaded', 'No se pudo cargar'],
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  show: [
    'Mostrar na conversa: {name}',
    'Show in the conversation: {name}',
    'Mostrar en la conversación: {name}',
  ],
  open: ['Atendendo', 'Attending', 'Atendiendo'],
  pending: ['Aguardando', 'Waiting', 'Esperando'],
  closed: ['Resolvido', 'Resolved', 'Resuelta'],
  noWords: ['Sem mensagens', 'No messages', 'Sin mensajes'],
  photo: ['Foto', 'Photo', 'Foto'],
  video: ['Vídeo', 'Video', 'Video'],
  audio: ['Áudio', 'Audio', 'Audio'],
  document: ['Documento', 'Document', 'Documento'],
})
