import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Param,
  Post,
  Put,
  Query,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Exclude, Expose, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Line {
  @ApiProperty({ description: 'What is ordered.' }) @Matches(/^[a-z]+-\d+$/) sku!: string;
  @ApiProperty() @IsInt() @Min(1) @Max(999) quantity!: number;
  @ApiProperty({ enum: Size, required: false }) @IsOptional() @IsEnum(Size) size?: Size;
}

class CreateOrder {
  @ApiProperty({ example: 'ann@example.org' }) @IsEmail() email!: string;
  @ApiProperty() @IsString() @Length(2, 20) name!: string;
  @ApiProperty() @IsBoolean() isGift!: boolean;
  @ApiProperty({ type: [Line] })
  @IsArray()
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
}

class Discount {
  @ApiProperty() @IsInt({ groups: ['staff'] }) @IsNumber({}, { groups: ['caller'] }) percent!: number;
}

class ListOrders {
  @ApiProperty() @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 10;
  @ApiProperty() @IsOptional() @IsString() search?: string;
}

class LineView {
  @ApiProperty() sku!: string;
  @ApiProperty() @Exclude() costCents!: number;
}

class OrderView {
  @ApiProperty() @Expose() id!: number;
  @ApiProperty() @Exclude() passwordHash!: string;
  @ApiProperty() @Expose({ name: 'e_mail' }) email!: string;
  @ApiProperty() @Expose({ groups: ['staff'] }) note!: string;
  @ApiProperty({ type: [LineView] }) @Type(() => LineView) lines!: LineView[];
}

const strict = { whitelist: true, forbidNonWhitelisted: true };

@Controller('orders')
@ApiTags('orders')
@UseInterceptors(ClassSerializerInterceptor)
export class OrdersController {
  @Post() @UsePipes(new ValidationPipe(strict)) create(@Body() order: CreateOrder) {
    return order;
  }
  @Put('discount')
  @UsePipes(new ValidationPipe({ groups: ['staff'], ...strict }))
  grant(@Body() discount: Discount) {
    return discount;
  }
  @Put('written')
  @UsePipes(new ValidationPipe(strict))
  @ApiBody({ schema: { type: 'object', description: 'By hand.' } })
  written(@Body() order: CreateOrder) {
    return order;
  }
  @Get() @UsePipes(new ValidationPipe({ transform: true })) list(@Query() query: ListOrders) {
    return query;
  }
  @Get(':id') @ApiOkResponse({ type: [OrderView] }) views(@Param('id') id: string) {
    return [Object.assign(new OrderView(), { id })];
  }
}
