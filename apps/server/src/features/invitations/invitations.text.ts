import type { Letter } from '../../platform/outbound/letter.ts'

export const invitationLetter = (
  language: Letter['language'],
  { invitedBy, companyName }: { invitedBy: string; companyName: string },
): Letter => ({
  language,
  ...{
    ptBR: {
      subject: `Convite para a equipe de ${companyName}`,
      before: [
        'Olá!',
        `${invitedBy} convidou você para atender com a equipe de ${companyName}. Escolha o seu nome e a sua senha:`,
      ],
      button: 'Aceitar convite',
      after: ['O convite vale por 7 dias e uma vez. Se você não esperava por ele, ignore este e-mail.'],
    },
    en: {
      subject: `Invitation to the team of ${companyName}`,
      before: [
        'Hello!',
        `${invitedBy} invited you to work with the team of ${companyName}. Choose your name and your password:`,
      ],
      button: 'Accept the invitation',
      after: ['The invitation is good for 7 days, once. If you did not expect it, ignore this e-mail.'],
    },
    es: {
      subject: `Invitación al equipo de ${companyName}`,
      before: [
        '¡Hola!',
        `${invitedBy} le invitó a atender con el equipo de ${companyName}. Elija su nombre y su contraseña:`,
      ],
      button: 'Aceptar la invitación',
      after: ['La invitación vale por 7 días y una sola vez. Si no la esperaba, ignore este correo.'],
    },
  }[language],
})
