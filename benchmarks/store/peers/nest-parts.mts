/** The DTOs and the Passport guard that the NestJS programs with an ORM share. */
import { Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { secret } from '../../http/serve.mts';

class OrderLineDto {
  @IsString() sku!: string;

  @MinLength(1)
  @IsString()
  quantity!: string;
}

/** The body of `POST /orders`. */
export class CreateOrderDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OrderLineDto)
  items!: OrderLineDto[];
}

/** The body of `POST /posts`. */
export class CreatePostDto {
  @Matches(/^[a-z0-9-]+$/)
  @MaxLength(200)
  slug!: string;
}

/** A list's query parameters. */
export class PageQueryDto {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  @Type(() => Number)
  limit = 10;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Type(() => Number)
  page = 1;
}

/** A request with its caller. */
export interface WithCaller {
  readonly user: { readonly userId: number };
}

/** A reply on either platform. */
export interface Reply {
  header(name: string, value: string): unknown;
}

/** Verifies a token's signature and expiry. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      ignoreExpiration: false,
      secretOrKey: secret,
      algorithms: ['HS256'],
    });
  }

  validate({ sub }: { readonly sub: number }) {
    return { userId: sub };
  }
}

/** Refuses requests without a token. */
@Injectable()
export class JwtAuthGuard extends AuthGuard('jwt') {}
