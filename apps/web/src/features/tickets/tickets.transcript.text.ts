import { texts } from '../../platform/text.ts'

export const useTranscriptText = texts({
  title: ['Conversa em PDF', 'Conversation as PDF', 'Conversación en PDF'],
  holds: [
    'O documento tem as mensagens deste atendimento, quem participou e os nomes dos arquivos.',
    'The document has the messages of this ticket, who took part, and the names of the files.',
    'El documento tiene los mensajes de esta atención, quién participó y los nombres de los archivos.',
  ],
  save: ['Baixar', 'Download', 'Descargar'],
  mail: ['Enviar para {to}', 'Send to {to}', 'Enviar a {to}'],
  noMail: ['Contato sem e-mail', 'Contact without e-mail', 'Contacto sin correo'],
  mailed: ['O PDF vai para {to}', 'The PDF is on its way to {to}', 'El PDF va a {to}'],
  file: ['Conversa {protocol}', 'Conversation {protocol}', 'Conversación {protocol}'],
})
