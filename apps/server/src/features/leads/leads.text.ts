import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import { LEAD_DAYS } from '@balcao/contract/leads.ts'
import type { Letter } from '../../platform/outbound/letter.ts'

type Language = Letter['language']

/** To an address that is not verified: none of its text is chosen by the requester. */
export const invitingLetter = (language: Language): Letter => ({
  language,
  ...{
    ptBR: {
      subject: 'Conclua seu cadastro',
      before: [
        'Olá.',
        `Falta pouco para começar o seu teste grátis de ${TRIAL_DAYS} dias, sem cartão. Conclua o cadastro por este link:`,
      ],
      button: 'Concluir o cadastro',
      after: [
        `O link vale por ${LEAD_DAYS} dias e uma vez. Não o repasse a ninguém.`,
        'Se não foi você que pediu, ignore este e-mail: nada será criado.',
      ],
    },
    en: {
      subject: 'Complete your sign-up',
      before: [
        'Hello.',
        `You are almost there: your free trial of ${TRIAL_DAYS} days begins without a card. Complete the sign-up by this link:`,
      ],
      button: 'Complete the sign-up',
      after: [
        `The link is good for ${LEAD_DAYS} days, once. Do not pass it on.`,
        'If you did not ask for it, ignore this e-mail: nothing will be made.',
      ],
    },
    es: {
      subject: 'Complete su registro',
      before: [
        'Hola.',
        `Falta poco para comenzar su prueba gratis de ${TRIAL_DAYS} días, sin tarjeta. Complete el registro por este enlace:`,
      ],
      button: 'Completar el registro',
      after: [
        `El enlace vale por ${LEAD_DAYS} días y una sola vez. No lo comparta con nadie.`,
        'Si no fue usted quien lo pidió, ignore este correo: no se creará nada.',
      ],
    },
  }[language],
})

/** The same where somebody logs in with this address already. */
export const knownLetter = (language: Language): Letter => ({
  language,
  button: null,
  after: [],
  ...{
    ptBR: {
      subject: 'Você já tem uma conta',
      before: [
        'Olá.',
        'Alguém pediu um teste grátis com este e-mail, que já tem uma conta: entre com a sua senha, ou crie uma nova em “Esqueci a senha”.',
        'Se não foi você que pediu, ignore este e-mail.',
      ],
    },
    en: {
      subject: 'You have an account already',
      before: [
        'Hello.',
        'Somebody asked for a free trial with this e-mail, which has an account already: log in with your password, or choose a new one by “Forgot your password”.',
        'If it was not you, ignore this e-mail.',
      ],
    },
    es: {
      subject: 'Usted ya tiene una cuenta',
      before: [
        'Hola.',
        'Alguien pidió una prueba gratis con este correo, que ya tiene una cuenta: entre con su contraseña, o cree una nueva en “Olvidé mi contraseña”.',
        'Si no fue usted, ignore este correo.',
      ],
    },
  }[language],
})

/** How the first admin of a new company gets in. */
export const accessLetter = (language: Language, name: string, email: string): Letter => ({
  language,
  ...{
    ptBR: {
      subject: 'Seus dados de acesso',
      before: [
        `Olá, ${name}.`,
        `O cadastro foi concluído e o seu teste grátis de ${TRIAL_DAYS} dias começou.`,
        `E-mail de acesso: ${email}`,
        'A senha você cria por este link:',
      ],
      button: 'Criar a senha',
      after: ['O link vale por três dias e uma vez. Depois disso, peça outro em “Esqueci a senha”.'],
    },
    en: {
      subject: 'Your access',
      before: [
        `Hello, ${name}.`,
        `Your sign-up is complete, and your free trial of ${TRIAL_DAYS} days has begun.`,
        `You log in with: ${email}`,
        'Choose your password by this link:',
      ],
      button: 'Choose the password',
      after: [
        'The link is good for three days, once. After that, ask for another by “Forgot your password”.',
      ],
    },
    es: {
      subject: 'Sus datos de acceso',
      before: [
        `Hola, ${name}.`,
        `El registro se completó y su prueba gratis de ${TRIAL_DAYS} días comenzó.`,
        `Correo de acceso: ${email}`,
        'Cree la contraseña por este enlace:',
      ],
      button: 'Crear la contraseña',
      after: ['El enlace vale por tres días y una sola vez. Después, pida otro en “Olvidé mi contraseña”.'],
    },
  }[language],
})
