import type { SurveyCheck } from './check.ts';

/** Finds what the images could not be delivered by: a registry, the room on its disk, an address to listen on. */
export const deliveryCheck: SurveyCheck = ({ delivery, archives, mayTry }, flow) =>
  delivery.examine({ archives, mayTry }, flow);
