import { texts } from '../../platform/text.ts'

export const useExportText = texts({
  open: ['Exportar conversa', 'Export the conversation', 'Exportar conversación'],
  contact: ['Contato', 'Contact', 'Contacto'],
  everybody: ['todos', 'everybody', 'todos'],
  from: ['Data inicial', 'Initial date', 'Fecha inicial'],
  until: ['Data final', 'Final date', 'Fecha final'],
  fromStart: ['desde o início', 'since the beginning', 'desde el inicio'],
  untilNow: ['agora', 'now', 'ahora'],
  export: ['Exportar', 'Export', 'Exportar'],
  failed: [
    'Falha ao fazer o download do arquivo',
    'The file could not be downloaded',
    'No se pudo descargar el archivo',
  ],
  file: ['conversas', 'conversations', 'conversaciones'],
  contactsFailed: [
    'Falha na busca de contatos',
    'The contact search failed',
    'Falló la búsqueda de contactos',
  ],
})
