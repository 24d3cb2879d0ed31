import { texts } from '../../platform/text.ts'

export const useOptOutText = texts({
  title: ['Quem não quer campanhas', 'Who wants no campaigns', 'Quién no quiere campañas'],
  words: ['Palavras que descadastram', 'Words that opt out', 'Palabras que dan de baja'],
  wordsHint: [
    'Uma resposta que é só uma destas palavras, até 30 dias depois de uma campanha. SAIR vale também para PARE, STOP, “quero sair” e “não quero mais receber”. Separe por vírgula.',
    'An answer that is nothing but one of these words, within 30 days of a campaign. SAIR also stands for PARE, STOP, “quero sair” and “no more messages”. Separate by commas.',
    'Una respuesta que es solo una de estas palabras, hasta 30 días después de una campaña. SAIR vale también para BAJA, STOP, “quiero salir” y “no quiero recibir más”. Separe con comas.',
  ],
  reply: ['Resposta (vazia: nenhuma)', 'Answer (empty: none)', 'Respuesta (vacía: ninguna)'],
  isOn: ['Descadastrar pela resposta', 'Opt out by answer', 'Dar de baja por la respuesta'],
  save: ['Salvar', 'Save', 'Guardar'],
  saved: ['Palavras salvas', 'Words saved', 'Palabras guardadas'],
  number: ['Número a descadastrar', 'Number to opt out', 'Número para dar de baja'],
  add: ['Descadastrar', 'Opt out', 'Dar de baja'],
  added: ['Número descadastrado', 'Number opted out', 'Número dado de baja'],
  who: ['Contato', 'Contact', 'Contacto'],
  how: ['Como', 'How', 'Cómo'],
  since: ['Desde', 'Since', 'Desde'],
  wrote: ['escreveu “{word}”', 'wrote “{word}”', 'escribió “{word}”'],
  stopped: [
    'parou o marketing no WhatsApp',
    'stopped marketing in WhatsApp',
    'detuvo el marketing en WhatsApp',
  ],
  forgotten: ['Contato removido', 'Removed contact', 'Contacto eliminado'],
  noted: ['anotado por {name}', 'noted by {name}', 'anotado por {name}'],
  somebody: ['alguém', 'somebody', 'alguien'],
  none: ['Ninguém pediu para sair', 'Nobody has opted out', 'Nadie pidió salir'],
  removeByRight: [
    'Só quem tem esse direito volta a permitir campanhas',
    'Only who has the right to allows campaigns again',
    'Solo quien tiene ese derecho vuelve a permitir campañas',
  ],
  removeOf: ['Voltar a enviar a {name}', 'Write to {name} again', 'Volver a enviar a {name}'],
  removed: ['Volta a receber campanhas', 'Gets campaigns again', 'Vuelve a recibir campañas'],
})
