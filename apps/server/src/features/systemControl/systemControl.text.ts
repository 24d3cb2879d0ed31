import type { Letter } from '../../platform/outbound/letter.ts'

/** What a master sends to see whether letters leave. */
export const testLetter = (language: Letter['language']): Letter => ({
  language,
  button: null,
  after: [],
  ...{
    ptBR: {
      subject: 'E-mail de teste',
      before: [
        'Este e-mail foi enviado pelo controle do sistema.',
        'Se você o recebeu, o envio de e-mails funciona.',
      ],
    },
    en: {
      subject: 'Test e-mail',
      before: ['This e-mail was sent by the system control.', 'If you received it, sending e-mails works.'],
    },
    es: {
      subject: 'Correo de prueba',
      before: [
        'Este correo fue enviado por el control del sistema.',
        'Si lo recibió, el envío de correos funciona.',
      ],
    },
  }[language],
})
