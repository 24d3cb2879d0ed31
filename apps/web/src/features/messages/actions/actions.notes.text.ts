import { texts } from '../../../platform/text.ts'

export const useNoteText = texts({
  deleteNote: ['Apagar a nota', 'Delete the note', 'Eliminar la nota'],
  deleteNoteHint: [
    'O lugar dela fica na conversa, e administradores veem quem apagou.',
    'Its place stays in the conversation, and administrators see who deleted it.',
    'Su lugar queda en la conversación, y los administradores ven quién la eliminó.',
  ],
})
