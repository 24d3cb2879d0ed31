import type { Letter } from '../../platform/outbound/letter.ts'

type Language = Letter['language']

/** Letters about an account. Without the user's name, which could carry a message to a stranger. */
export const resetLetter = (language: Language): Letter => ({
  language,
  ...{
    ptBR: {
      subject: 'Crie uma nova senha',
      before: ['Olá.', 'Alguém pediu uma nova senha para a sua conta. Se foi você, use este link:'],
      button: 'Criar nova senha',
      after: [
        'O link vale por uma hora e uma vez. A sua sessão em outros lugares será encerrada.',
        'Se não foi você, ignore este e-mail: a sua senha continua a mesma.',
      ],
    },
    en: {
      subject: 'Choose a new password',
      before: ['Hello.', 'Somebody asked for a new password for your account. If it was you, use this link:'],
      button: 'Choose a new password',
      after: [
        'The link is good for one hour, once. Your sessions elsewhere will end.',
        'If it was not you, ignore this e-mail: your password stays as it is.',
      ],
    },
    es: {
      subject: 'Cree una nueva contraseña',
      before: ['Hola.', 'Alguien pidió una nueva contraseña para su cuenta. Si fue usted, use este enlace:'],
      button: 'Crear nueva contraseña',
      after: [
        'El enlace vale por una hora y una sola vez. Sus sesiones en otros lugares se cerrarán.',
        'Si no fue usted, ignore este correo: su contraseña sigue siendo la misma.',
      ],
    },
  }[language],
})

export const newAddressLetter = (language: Language): Letter => ({
  language,
  ...{
    ptBR: {
      subject: 'Confirme o seu novo e-mail',
      before: ['Olá.', 'Confirme que este é o seu novo e-mail de acesso:'],
      button: 'Confirmar e-mail',
      after: ['O link vale por uma hora e uma vez. Até lá, o e-mail anterior continua valendo.'],
    },
    en: {
      subject: 'Confirm your new e-mail',
      before: ['Hello.', 'Confirm that this is the new e-mail you sign in with:'],
      button: 'Confirm e-mail',
      after: ['The link is good for one hour, once. Until then the former e-mail stays.'],
    },
    es: {
      subject: 'Confirme su nuevo correo',
      before: ['Hola.', 'Confirme que este es su nuevo correo de acceso:'],
      button: 'Confirmar correo',
      after: [
        'El enlace vale por una hora y una sola vez. Hasta entonces sigue valiendo el correo anterior.',
      ],
    },
  }[language],
})

export const previousAddressLetter = (language: Language, email: string): Letter => ({
  language,
  button: null,
  after: [],
  ...{
    ptBR: {
      subject: 'O e-mail da sua conta mudou',
      before: [
        'Olá.',
        `O e-mail de acesso da sua conta agora é ${email}. Este endereço não serve mais para entrar.`,
        'Se não foi você, fale agora com um administrador da sua empresa.',
      ],
    },
    en: {
      subject: 'The e-mail of your account has changed',
      before: [
        'Hello.',
        `You now sign in with ${email}. This address no longer opens your account.`,
        'If it was not you, talk to an administrator of your company now.',
      ],
    },
    es: {
      subject: 'El correo de su cuenta cambió',
      before: [
        'Hola.',
        `El correo de acceso de su cuenta ahora es ${email}. Esta dirección ya no sirve para entrar.`,
        'Si no fue usted, hable ahora con un administrador de su empresa.',
      ],
    },
  }[language],
})
